import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const resolve = { alias: { '@': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '') } }
const node = { environment: 'node', testTimeout: 60_000, hookTimeout: 120_000 } as const

export default defineConfig({
  test: {
    // The embedded server takes its share: more workers than two only wait for each other.
    maxWorkers: 2,
    projects: [
      {
        resolve,
        test: {
          ...node,
          name: 'unit',
          include: ['{lib,components,cli,scripts,e2e,bench}/**/*.test.{ts,tsx}', '*.test.ts'],
          // These need the database.
          exclude: ['**/node_modules/**', '**/*.db.test.ts'],
        },
      },
      {
        resolve,
        test: {
          ...node,
          name: 'db',
          include: ['{db,server,app}/**/*.test.{ts,tsx}', 'e2e/**/*.db.test.ts'],
          globalSetup: ['db/testing/global-setup.ts'],
        },
      },
    ],
  },
})
