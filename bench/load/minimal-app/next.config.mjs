import path from 'node:path'

/**
 * The reference of the bench `load`: what the framework costs by itself. It is JavaScript, because the framework writes
 * settings of the compiler into the folder of an app that has TypeScript.
 *
 * @type {import('next').NextConfig}
 */
export default {
  poweredByHeader: false,
  agentRules: false,
  serverExternalPackages: ['postgres'],
  experimental: { agentUpgrade: false, agentFeedback: false },
  // The packages are links to those of the project, which must not lie outside of this.
  turbopack: { root: path.parse(import.meta.dirname).root },
}
