import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Next's server makes this global before it loads anything of its own. Pages that are called outside of that
 * server need it as early:
 * import this module first.
 */
Object.assign(globalThis, {
  AsyncLocalStorage: (globalThis as { AsyncLocalStorage?: unknown }).AsyncLocalStorage ?? AsyncLocalStorage,
})
// What `authInterrupts` in next.config.mjs sets at build time: without it a page cannot answer 403.
process.env.__NEXT_EXPERIMENTAL_AUTH_INTERRUPTS ??= 'true'
