import { afterAll } from 'vitest'

/**
 * Files share a worker and so its environment: what one sets (the address of its database, say) must not reach
 * the next one.
 */
const before = { ...process.env }
afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
  Object.assign(process.env, before)
})
