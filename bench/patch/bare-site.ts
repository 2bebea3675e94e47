import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { build } from 'esbuild'
import type { BenchContext } from '../support/result'

const PAGE =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Bare</title><link rel="stylesheet" href="/view.css"></head><body><div id="root"></div><script type="module" src="/view.js"></script></body></html>'

/** Serves the bare view of a patch with `node:http` and nothing else, bundled as a page would be that is put on the web. */
export async function serveBareView(patch: string, { after }: BenchContext): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(import.meta.dirname, 'bare-view.tsx')],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    write: false,
    outdir: '/',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const bundled = (ending: string): Uint8Array =>
    outputFiles.find((file) => file.path.endsWith(ending))!.contents
  const files: Record<string, [string, Uint8Array]> = {
    '/': ['text/html', Buffer.from(PAGE)],
    '/view.js': ['text/javascript', bundled('.js')],
    '/view.css': ['text/css', bundled('.css')],
    '/change.patch': ['text/plain', Buffer.from(patch)],
  }
  const server = createServer((request, response) => {
    const [type, body] = files[request.url ?? ''] ?? [null, Buffer.alloc(0)]
    response.writeHead(type === null ? 404 : 200, {
      'content-type': `${type ?? 'text/plain'}; charset=utf-8`,
      'content-length': body.length,
    })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
