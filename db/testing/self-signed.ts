/** A key and a certificate for 127.0.0.1 that signed itself, made for these tests: no client trusts it. */
const pem = (what: string, base64: string): string =>
  `-----BEGIN ${what}-----\n${base64.match(/.{1,64}/g)!.join('\n')}\n-----END ${what}-----\n`

export const selfSigned = {
  key: pem(
    'PRIVATE KEY',
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgvghOkRVxLOyARp/GCr1BSFh5JPbx2F28RYuelU1fbe+hRANCAAT96yjNlMN9bUD+2ZM7RMnRCmGDHNnCXU01cv5ju9ewsgK0h5q5JZ2/CWXqJglPk4ZwjFcQ/NzpG8x4DgP6h2Vs',
  ),
  cert: pem(
    'CERTIFICATE',
    'MIIBkDCCATagAwIBAgIUKQU2S5tbJ49OYsI00N/+Ueq5NyswCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMzA0NDUyMloYDzIxMjYxMDMwMDQ0NTIyWjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAT96yjNlMN9bUD+2ZM7RMnRCmGDHNnCXU01cv5ju9ewsgK0h5q5JZ2/CWXqJglPk4ZwjFcQ/NzpG8x4DgP6h2Vso2QwYjAdBgNVHQ4EFgQUBTbP8ABMcyaxy7dVa/C25OpPyi4wHwYDVR0jBBgwFoAUBTbP8ABMcyaxy7dVa/C25OpPyi4wDwYDVR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0gAMEUCIFva12IUjooFcGRV20QAgTcPVOebFS2s7aXye8vk6iApAiEAqeK9BHth4QuyvUgAGCclaj/uka+hnHalBD4RFSPJZ6A=',
  ),
}
