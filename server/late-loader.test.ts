import { beforeEach, describe, expect, test, vi } from 'vitest'
import { LATE_LOADER } from './late-loader'

/** As much of a window as the lines ask of one: events that name an element as their target, and nothing that is ever painted. */
class FakeWindow extends EventTarget {
  readonly document = {
    visibilityState: 'visible',
    documentElement: { setAttribute: vi.fn() },
    head: { appendChild: vi.fn() },
    createElement: vi.fn(() => ({})),
  }

  readonly location = { pathname: '/executions', search: '?q=a', reload: vi.fn() }

  constructor() {
    super()
    const given = {
      document: this.document,
      location: this.location,
      addEventListener: this.addEventListener.bind(this),
      // Node takes no plain `true` here, as browsers do.
      removeEventListener: (kind: string, listener: EventListener, capture: boolean) =>
        this.removeEventListener(kind, listener, { capture }),
      requestAnimationFrame: vi.fn(),
      PerformanceObserver: vi.fn(),
      setTimeout: vi.fn(),
      KeyboardEvent: Event,
    }
    const load = new Function(...Object.keys(given), `return ${LATE_LOADER}`)(...Object.values(given)) as (
      files: string[],
    ) => void
    load(['/a.js'])
  }

  /** @returns the event, as whoever sent it sees it afterwards */
  send(type: string, target: object): Event {
    const event = Object.defineProperty(new Event(type, { bubbles: true, cancelable: true }), 'target', {
      value: target,
    })
    this.dispatchEvent(event)
    return event
  }

  ready(): void {
    this.dispatchEvent(new Event('inquest-ready'))
  }
}

let window: FakeWindow
const partOfPage = vi.fn()
const button = (more: object = {}) => {
  const element = {
    type: 'button',
    isConnected: true,
    closest: () => element,
    click: vi.fn(() => void window.send('click', element)),
    ...more,
  }
  return element
}

beforeEach(() => {
  window = new FakeWindow()
  partOfPage.mockReset()
  // A part that answers before the whole page does; it listens where React does, behind the lines of the page.
  window.addEventListener('click', partOfPage, true)
})

describe('what is pressed before the page can answer', () => {
  test('is done once, though a part of the page could answer already', () => {
    const pressed = button()
    window.send('click', pressed)
    expect(partOfPage).not.toHaveBeenCalled()
    window.ready()
    expect(pressed.click).toHaveBeenCalledTimes(1)
    expect(partOfPage).toHaveBeenCalledTimes(1)
    // Nothing is left over for a page that says so twice.
    window.ready()
    expect(partOfPage).toHaveBeenCalledTimes(1)
  })

  test('reaches nothing below the window', () => {
    expect(window.send('click', button()).cancelBubble).toBe(true)
  })

  test('is left alone once the page answers', () => {
    window.ready()
    expect(window.send('click', button()).cancelBubble).toBe(false)
    expect(partOfPage).toHaveBeenCalledTimes(1)
  })

  test('is forgotten when its element went meanwhile', () => {
    const pressed = button()
    window.send('click', pressed)
    pressed.isConnected = false
    window.ready()
    expect(pressed.click).not.toHaveBeenCalled()
  })

  test('works by itself when it is a link: the press goes on as it is', () => {
    const link = { type: '', closest: () => null }
    expect(window.send('click', link).cancelBubble).toBe(false)
    expect(partOfPage).toHaveBeenCalledTimes(1)
  })
})

test('a form is held back and sent once', () => {
  const form = { isConnected: true, requestSubmit: vi.fn() }
  expect(window.send('submit', form).defaultPrevented).toBe(true)
  window.ready()
  expect(form.requestSubmit).toHaveBeenCalledTimes(1)
})

describe('going back before the page can answer', () => {
  const goTo = (search: string): void => {
    window.location.search = search
    window.dispatchEvent(new Event('popstate'))
  }

  test('asks the server for the page of that address', () => {
    goTo('?q=b')
    expect(window.location.reload).toHaveBeenCalledTimes(1)
  })

  test('is left alone within the page, and once the page answers', () => {
    goTo('?q=a')
    window.ready()
    goTo('?q=b')
    expect(window.location.reload).not.toHaveBeenCalled()
  })
})
