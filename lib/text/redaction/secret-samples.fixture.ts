/**
 * One working sample for every rule of the preset, put together while the tests run, so that nothing in the source looks like a secret.
 * For tests only.
 */
export interface SecretSample {
  rule: string
  /** Text around the secret as it is in files. */
  text: string
  /** What must not survive. */
  secret: string
}

const letters = 'aZ3bY7cX1dW9eV5fU2gT8hS4iR6jQ0kP'
/** Letters and digits without a pattern. */
export const noise = (length: number, shift = 0): string =>
  Array.from({ length }, (_, i) => letters[(i * 7 + shift + (i >> 4)) % letters.length]).join('')

const pem = (name: string, body: string): string =>
  `-----BEGIN ${name}-----\n${body.replace(/(.{64})/g, '$1\n')}\n-----END ${name}-----`
const opToken = (): string =>
  `ops_${btoa(JSON.stringify({ email: noise(60), key: noise(60) })).replace(/=+$/, '')}`
/** Base64 of a JSON object ends in `fQ` when the object's length fits. */
const opSample = (): string => {
  for (let n = 60; n < 66; n++) {
    const token = `ops_${btoa(JSON.stringify({ key: noise(n + 40) }))}`
    if (/fQ={0,2}$/.test(token)) return token
  }
  return opToken()
}

export function secretSamples(): SecretSample[] {
  const key = `MII${noise(400)}`
  const one = (rule: string, secret: string, text = secret): SecretSample => ({ rule, secret, text })
  return [
    one('aws', noise(40), `AWS_SECRET_ACCESS_KEY=${noise(40)}`),
    one('aws', noise(40, 3), `aws_secret_access_key: "${noise(40, 3)}"`),
    one('privatekey', key.slice(0, 40), pem('RSA PRIVATE' + ' KEY', key)),
    one(
      'gcp',
      key.slice(0, 40),
      JSON.stringify({ private_key_id: 'x', private_key: pem('PRIVATE' + ' KEY', key) }),
    ),
    one('npm', `npm_${noise(36)}`, `token npm_${noise(36)} here`),
    one('npm', noise(40), `https://${noise(40)}:x-oauth-basic@github.com/a/b`),
    one('npm', noise(36, 5), `//registry.npmjs.org/:_authToken=${noise(36, 5)}`),
    one('basicauth', noise(12), `https://deploy:${noise(12)}@build.corp.net/x`),
    one('slack', noise(24), `xoxb-${'1234567890'}-${noise(24)}`),
    one('slack', noise(24), `https://hooks.slack.com/services/T${noise(8)}/B${noise(8)}/${noise(24)}`),
    one('sendgrid', noise(43), `SG.${noise(22)}.${noise(43)}`),
    one('shopify', noise(32), `shpat_${noise(32)}`),
    one('github', noise(36), `ghp_${noise(36)}`),
    one('github', noise(82), `github_pat_${noise(82)}`),
    one('openai', noise(20), `sk-${noise(20)}T3Blbk${'FJ'}${noise(20)}`),
    one('openai', noise(74), `sk-proj-${noise(74)}T3Blbk${'FJ'}${noise(74)}`),
    one('anthropic', noise(93), `sk-ant-api03-${noise(93)}AA`),
    one('anthropic', noise(80), `sk-ant-oat01-${noise(80)}`),
    one('linear', noise(40), `lin_api_${noise(40)}`),
    one('1password', opSample().slice(4, 60), opSample()),
    one('database-connection-string', noise(14), `postgres://app:${noise(14)}@db.corp.net:5432/x?ssl=1`),
    one('database-connection-string', noise(14), `mongodb+srv://app:${noise(14)}@db.corp.net/x`),
    one('database-connection-string', noise(14), `mysql://app:${noise(14)}@db.corp.net/x`),
  ]
}
