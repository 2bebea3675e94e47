/** Sent with every answer, pages and files alike; the policy with its nonce comes from proxy.ts. */
const headers = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'Referrer-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Resource-Policy', value: 'same-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), geolocation=(), microphone=(), payment=(), usb=()' },
]

/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  agentRules: false,
  // The test command checks types; a start should not wait for them again.
  typescript: { ignoreBuildErrors: true },
  // Left to Node's own loader: they are large, read files of their own, or must be one instance for all routes.
  serverExternalPackages: [
    '@secretlint/core',
    '@secretlint/secretlint-rule-preset-recommend',
    'better-auth',
    '@better-auth/api-key',
    'drizzle-orm',
    'graphile-worker',
    'pino',
    'postgres',
    'prom-client',
    're2js',
  ],
  experimental: {
    // `forbidden()` answers a weaker role with 403 and `app/forbidden.tsx`.
    authInterrupts: true,
    // Both would talk to a foreign host, or stop a build to ask something.
    agentUpgrade: false,
    agentFeedback: false,
  },
  turbopack: {
    root: import.meta.dirname,
    // Its form for browsers needs a document; the colours of a diff are made in a worker, which has none.
    resolveAlias: {
      'decode-named-character-reference': './node_modules/decode-named-character-reference/index.js',
    },
  },
  headers: async () => [{ source: '/:path*', headers }],
  // Addresses of 0.1.0.
  redirects: async () => [
    {
      source: '/api/v1/executions/:id/attempts',
      destination: '/api/v1/executions/:id/calls',
      permanent: true,
    },
  ],
  // Downloads by the short addresses that people and programs write.
  rewrites: async () => ({
    beforeFiles: [
      { source: '/fixes/:id([\\w-]+).patch.sha256', destination: '/api/v1/fixes/:id/patch.sha256' },
      { source: '/fixes/:id([\\w-]+).patch', destination: '/api/v1/fixes/:id/patch' },
      { source: '/fixes/:id([\\w-]+).transcript', destination: '/api/v1/fixes/:id/transcript' },
      { source: '/fixes/:id([\\w-]+).provenance.json', destination: '/api/v1/fixes/:id/provenance' },
      { source: '/fixes/:id([\\w-]+).zip', destination: '/api/v1/fixes/:id/bundle' },
      { source: '/shared/:token([\\w.-]+).patch', destination: '/api/v1/shared-patches/:token' },
    ],
  }),
}
