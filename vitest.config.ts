import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

const resolve = { alias: { '@': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '') } }
const shared: NonNullable<TestProjectInlineConfiguration['test']> = {
  environment: 'node',
  // A limit for what hangs, not for what is slow: other work on the machine makes a test ten times as slow.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // Files of a worker share its modules: half of the processor time went into reading them anew for each
  // file (docs/decisions/0026).
  isolate: false,
  setupFiles: ['scripts/testing/restore-environment.ts'],
}

export default defineConfig({
  test: {
    // One more than processors on a machine of two: some tests wait for a server, a lock or a timer.
    maxWorkers: 3,
    globalSetup: ['scripts/testing/build-once.ts'],
    projects: [
      {
        resolve,
        test: {
          ...shared,
          name: 'unit',
          include: ['{lib,components,cli,scripts,e2e,bench}/**/*.test.{ts,tsx}', '*.test.ts'],
          // These need the database.
          exclude: ['**/node_modules/**', '**/*.db.test.ts'],
        },
      },
      {
        resolve,
        test: {
          ...shared,
          name: 'db',
          include: ['{db,server,app}/**/*.test.{ts,tsx}', '{e2e,scripts}/**/*.db.test.ts'],
          globalSetup: ['db/testing/global-setup.ts'],
        },
      },
    ],
  },
})
