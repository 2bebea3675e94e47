'use client'

import { useEffect, useRef } from 'react'

/** What a key handler needs to know of a key event; a real `KeyboardEvent` is one. */
export interface KeyPress {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

/**
 * Name of a press as the key tables write it: the character itself (`j`, `?`, `<`, `N`), the key's name (`Enter`, `ArrowDown`),
 * or `Mod+k` with Ctrl or Cmd. Null for presses that are none of ours (Alt, other Ctrl combinations stay the browser's).
 */
export function keyName(press: KeyPress): string | null {
  if (press.altKey) return null
  if (press.ctrlKey || press.metaKey) return press.key.toLowerCase() === 'k' ? 'Mod+k' : null
  return press.key === ' ' ? 'Space' : press.key
}

/** Single keys act without a modifier: the ones WCAG 2.1.4 wants to be switched off. Enter, arrows and Escape are no characters. */
export const isSingleKey = (name: string): boolean => name.length === 1 || name === 'Space'

export interface KeyState {
  pending: string | null
}

/**
 * Reads one press against a table of `name` or `first second` entries (`g e`). A first key that opens a sequence waits for the
 * second; any other key ends the wait and counts by itself.
 */
export function matchKey(
  names: readonly string[],
  state: KeyState,
  name: string,
): { hit: string | null; state: KeyState } {
  if (state.pending !== null) {
    const pair = `${state.pending} ${name}`
    if (names.includes(pair)) return { hit: pair, state: { pending: null } }
  }
  if (names.includes(name)) return { hit: name, state: { pending: null } }
  const opens = names.some((n) => n.startsWith(`${name} `))
  return { hit: null, state: { pending: opens ? name : null } }
}

const NO_TEXT: ReadonlySet<string> = new Set(['radio', 'checkbox', 'button', 'submit', 'reset'])

/** Typing must stay typing. */
export function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !NO_TEXT.has(target.type)
  return target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName)
}

/** Enter and Space belong to the control that has the focus. */
const actsItself = (target: EventTarget | null, name: string): boolean =>
  (name === 'Enter' || name === 'Space') &&
  target instanceof HTMLElement &&
  target.closest('a, button, summary, [role=button], [role=switch]') !== null

export type KeyTable = Record<string, (event: KeyboardEvent) => void>

/** Single keys are off when the person switched them off (`<html data-single-keys="off">`). */
export const singleKeysOn = (): boolean => document.documentElement.dataset.singleKeys !== 'off'

/** Tables of everything on the page that has keys, the innermost first. They are read together: the second key of `g p` is no `p` of its own. */
const tables: { current: KeyTable }[] = []
let state: KeyState = { pending: null }
let timer: ReturnType<typeof setTimeout> | undefined

function onKey(event: KeyboardEvent): void {
  const name = keyName(event)
  if (name === null || event.defaultPrevented || event.isComposing) return
  const modifier = name.startsWith('Mod+')
  if (!modifier && (takesText(event.target) || actsItself(event.target, name))) return
  if (!modifier && document.querySelector('[role=dialog][data-open], [role=menu][data-open]')) return
  if (isSingleKey(name) && !singleKeysOn()) return
  const { hit, state: next } = matchKey(
    tables.flatMap(({ current }) => Object.keys(current)),
    state,
    name,
  )
  state = next
  clearTimeout(timer)
  timer = setTimeout(() => (state = { pending: null }), 1200)
  if (hit === null) return
  event.preventDefault()
  tables.find(({ current }) => Object.hasOwn(current, hit))!.current[hit]!(event)
}

/** Binds a table of keys for as long as the component is there. Off in inputs and while a dialog is open. */
export function useKeys(table: KeyTable, enabled = true): void {
  const latest = useRef(table)
  useEffect(() => {
    latest.current = table
  })
  useEffect(() => {
    if (!enabled) return
    if (tables.length === 0) document.addEventListener('keydown', onKey)
    tables.push(latest)
    return () => {
      tables.splice(tables.indexOf(latest), 1)
      if (tables.length > 0) return
      document.removeEventListener('keydown', onKey)
      clearTimeout(timer)
      state = { pending: null }
    }
  }, [enabled])
}
