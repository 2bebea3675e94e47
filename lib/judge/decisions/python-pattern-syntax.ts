import { limits } from '@/lib/limits'
import { complement, ignoreCase, type Ranges, union } from './python-pattern-chars'
import {
  choiceOf,
  foreignPart,
  oneOf,
  type Part,
  type Place,
  repeatOf,
  sequenceOf,
  type Width,
} from './python-pattern-parts'
import { isDigit, isOctal, PatternTokens, Refusal } from './python-pattern-tokens'

export type Syntax =
  | { kind: 'read'; pattern: Part; foreign: string | null }
  | { kind: 'invalid'; why: string }
  | { kind: 'too_deep' }

interface Flags {
  i: boolean
  m: boolean
  s: boolean
  x: boolean
  a: boolean
}

class TooDeep extends Error {}

const REPEAT_MAX = 2 ** 32 - 1

/**
 * Reads a pattern by the grammar of Python 3.12's `re` for `str`, refusing what that refuses, and tells the first thing in it that RE2
 * cannot express. `\N{…}` is read as such a thing: whether the name exists is not looked up.
 *
 * @see https://docs.python.org/3.12/library/re.html#regular-expression-syntax
 */
export function readPythonPattern(source: string): Syntax {
  try {
    return { kind: 'read', ...new Reader(source).whole() }
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'invalid', why: error.message }
    if (error instanceof TooDeep) return { kind: 'too_deep' }
    throw error
  }
}

class Reader extends PatternTokens {
  private readonly global: Flags = { i: false, m: false, s: false, x: false, a: false }
  private readonly globalLetters = new Set<string>()
  /** By number: what a group matches once it is closed, `null` while it is open. The first is the whole pattern. */
  private readonly groups: (Width | null)[] = [null]
  private readonly groupNames = new Map<string, number>()
  /** Inside a look-behind: the number of groups that were open before it. */
  private behind: number | null = null
  private conditionMax = 0
  private hasRepeat = false

  whole(): { pattern: Part; foreign: string | null } {
    const pattern = this.alternatives(this.global, 0)
    if (this.at < this.tokens.length) throw this.refusal('a closing parenthesis without an opening one')
    if (this.globalLetters.has('a') && this.globalLetters.has('u'))
      throw new Refusal('the flags a and u exclude each other')
    if (this.globalLetters.has('t') && this.hasRepeat) throw new Refusal('the flag t allows no repeats')
    if (this.conditionMax >= this.groups.length) throw new Refusal(`there is no group ${this.conditionMax}`)
    return { pattern, foreign: this.foreign }
  }

  private alternatives(flags: Flags, depth: number): Part {
    if (depth > limits.patternDepthMax) throw new TooDeep()
    const parts = [this.sequence(flags, depth, depth === 0)]
    while (this.take('|')) parts.push(this.sequence(flags, depth, false))
    return choiceOf(parts)
  }

  /** `atStart`: whether flags for the whole pattern may still come. They are set on `flags` itself, which is then the global one. */
  private sequence(flags: Flags, depth: number, atStart: boolean): Part {
    const parts: Part[] = []
    for (let token = this.next; token !== undefined && token !== '|' && token !== ')'; token = this.next) {
      const from = this.at++
      if (flags.x && /^[ \t\n\r\v\f]$/.test(token)) continue
      if (flags.x && token === '#') {
        while (this.next !== undefined && this.tokens[this.at++] !== '\n') continue
        continue
      }
      if (token === '(') {
        const group = this.group(flags, depth, atStart && parts.length === 0)
        if (group !== null) parts.push(group)
        continue
      }
      const times = this.times(token)
      if (times !== null) parts.push(this.repeated(parts.pop(), times, from))
      else parts.push(this.atom(token, flags))
    }
    return sequenceOf(parts)
  }

  private atom(token: string, flags: Flags): Part {
    if (token.startsWith('\\')) return this.escape(token, flags)
    if (token === '[') return this.set(flags)
    if (token === '.') return oneOf(complement(flags.s ? [] : [[10, 10]]))
    if (token === '^') return this.place(flags.m ? 'lineStart' : 'textStart', flags)
    if (token === '$') return this.place(flags.m ? 'lineEnd' : 'end', flags)
    return this.literal(token.codePointAt(0)!, flags)
  }

  private place(place: Place, flags: Flags): Part {
    return { kind: 'place', place, ascii: flags.a, min: 0, max: 0 }
  }

  private literal(code: number, flags: Flags): Part {
    return oneOf(flags.i ? ignoreCase([[code, code]], flags.a) : [[code, code]])
  }

  /** The bounds of a quantifier, or `null` when the token is none: a brace that opens no bounds stands for itself. */
  private times(token: string): [number, number] | null {
    if (token === '?') return [0, 1]
    if (token === '*') return [0, Infinity]
    if (token === '+') return [1, Infinity]
    if (token !== '{' || this.next === '}') return null
    const from = this.at
    const low = this.takeWhile(Infinity, isDigit)
    const high = this.take(',') ? this.takeWhile(Infinity, isDigit) : low
    if (!this.take('}')) {
      this.at = from
      return null
    }
    const [min, max] = [Number(low), high === '' ? Infinity : Number(high)]
    if (min >= REPEAT_MAX || (high !== '' && max >= REPEAT_MAX))
      throw this.refusal('the number of repeats is too large', from)
    if (max < min) throw this.refusal('a smallest number of repeats above the greatest', from)
    return [min, max]
  }

  private repeated(item: Part | undefined, [from, to]: [number, number], at: number): Part {
    if (item === undefined || item.kind === 'place') throw this.refusal('nothing to repeat', at)
    if (item.kind === 'repeat') throw this.refusal('a repeat of a repeat', at)
    this.hasRepeat = true
    // Whether a repeat is lazy decides which match is found, never whether there is one.
    if (!this.take('?') && this.take('+')) this.cannot('possessive quantifiers')
    return repeatOf(item, from, to)
  }

  private escape(token: string, flags: Flags): Part {
    const letter = token.slice(1)
    if (letter === 'A') return this.place('textStart', flags)
    if (letter === 'Z') return this.place('textEnd', flags)
    if (letter === 'b') return this.place('boundary', flags)
    if (letter === 'B') return this.place('notBoundary', flags)
    if (!/^[1-9]$/.test(letter)) {
      const found = this.character(token, flags.a)
      return typeof found === 'number' ? this.literal(found, flags) : oneOf(found)
    }
    const from = this.at - 1
    const digits = letter + (isDigit(this.next) ? this.tokens[this.at++] : '')
    if (/^[0-7]{2}$/.test(digits) && isOctal(this.next))
      return this.literal(this.octal(digits + this.tokens[this.at++], from), flags)
    return this.backReference(Number(digits), from)
  }

  private set(flags: Flags): Part {
    const from = this.at - 1
    const negated = this.take('^')
    const letters: [number, number][] = []
    const classes: Ranges[] = []
    const one = (): { token: string; found: number | Ranges } => {
      const token = this.next
      if (token === undefined) throw this.refusal('a set that is not closed', from)
      this.at++
      return { token, found: token.startsWith('\\') ? this.character(token, flags.a) : token.codePointAt(0)! }
    }
    const add = (found: number | Ranges): void => {
      if (typeof found === 'number') letters.push([found, found])
      else classes.push(found)
    }
    for (
      let { token, found } = one();
      token !== ']' || letters.length + classes.length === 0;
      { token, found } = one()
    ) {
      if (!this.take('-')) {
        add(found)
        continue
      }
      const end = one()
      if (end.token === ']') {
        add(found)
        add(0x2d)
        break
      }
      if (typeof found !== 'number' || typeof end.found !== 'number' || end.found < found)
        throw this.refusal('a bad range', from)
      letters.push([found, end.found])
    }
    const set = union(flags.i ? ignoreCase(union(letters), flags.a) : letters, ...classes)
    return oneOf(negated ? complement(set) : set)
  }

  private backReference(number: number, from: number): Part {
    if (number >= this.groups.length) throw this.refusal(`there is no group ${number}`, from)
    const width = this.groups[number]
    if (width == null) throw this.refusal(`group ${number} is still open`, from)
    this.checkBehind(number, from)
    this.cannot('back-references')
    return foreignPart(width)
  }

  private checkBehind(group: number, from: number): void {
    if (this.behind === null) return
    if (this.groups[group] == null) throw this.refusal(`group ${group} is still open`, from)
    if (group >= this.behind) throw this.refusal(`group ${group} is in the same look-behind`, from)
  }

  /** What follows an opening parenthesis; `null` for what leaves no part behind: comments and flags for the whole pattern. */
  private group(flags: Flags, depth: number, atStart: boolean): Part | null {
    const from = this.at - 1
    if (!this.take('?')) return this.capture(null, flags, depth, from)
    const token = this.next
    if (token === undefined) throw this.refusal('an unfinished group', from)
    const changed = this.inlineFlags(atStart, flags, from)
    if (changed !== null) return changed === 'global' ? null : this.body(changed, depth, from)
    this.at++
    if (token === 'P') return this.named(flags, depth, from)
    if (token === ':') return this.body(flags, depth, from)
    if (token === '#') {
      while (this.next !== ')')
        if (this.at++ >= this.tokens.length) throw this.refusal('a comment that is not closed', from)
      this.at++
      return null
    }
    if (token === '(') return this.conditional(flags, depth, from)
    if (token === '>') {
      this.cannot('atomic groups')
      return this.body(flags, depth, from)
    }
    if (token === '=' || token === '!') return this.look(flags, depth, from)
    if (token === '<' && (this.take('=') || this.take('!'))) return this.lookBehind(flags, depth, from)
    throw this.refusal(`there is no group (?${token}`, from)
  }

  private body(flags: Flags, depth: number, from: number): Part & { kind: 'group' } {
    const body = this.alternatives(flags, depth + 1)
    if (!this.take(')')) throw this.refusal('a group that is not closed', from)
    return { kind: 'group', body, min: body.min, max: body.max }
  }

  private capture(name: string | null, flags: Flags, depth: number, from: number): Part {
    const number = this.groups.push(null) - 1
    if (name !== null) {
      if (this.groupNames.has(name)) throw this.refusal(`a second group ${name}`, from)
      this.groupNames.set(name, number)
    }
    const group = this.body(flags, depth, from)
    this.groups[number] = group
    return group
  }

  private named(flags: Flags, depth: number, from: number): Part {
    if (this.take('<'))
      return this.capture(
        this.checked(this.takeUntil('>', 'the name of the group'), from),
        flags,
        depth,
        from,
      )
    if (!this.take('=')) throw this.refusal('there is no such group (?P', from)
    return this.backReference(
      this.numberOf(this.checked(this.takeUntil(')', 'the name of the group'), from), from),
      from,
    )
  }

  private checked(name: string, from: number): string {
    if (!/^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(name))
      throw this.refusal(`${name} is no name for a group`, from)
    return name
  }

  private numberOf(name: string, from: number): number {
    const number = this.groupNames.get(name)
    if (number === undefined) throw this.refusal(`there is no group ${name}`, from)
    return number
  }

  private look(flags: Flags, depth: number, from: number): Part {
    this.cannot('look-around')
    this.body(flags, depth, from)
    return foreignPart()
  }

  private lookBehind(flags: Flags, depth: number, from: number): Part {
    const outer = this.behind
    this.behind ??= this.groups.length
    this.cannot('look-around')
    const { min, max } = this.body(flags, depth, from)
    this.behind = outer
    if (min !== max || min > REPEAT_MAX) throw this.refusal('a look-behind of no fixed width', from)
    return foreignPart()
  }

  private conditional(flags: Flags, depth: number, from: number): Part {
    if (depth >= limits.patternDepthMax) throw new TooDeep()
    const name = this.takeUntil(')', 'the condition')
    const number = /^[0-9]+$/.test(name) ? Number(name) : this.numberOf(this.checked(name, from), from)
    if (number === 0) throw this.refusal('there is no group 0', from)
    this.conditionMax = Math.max(this.conditionMax, number)
    this.checkBehind(number, from)
    this.cannot('conditionals')
    const yes = this.sequence(flags, depth + 1, false)
    const no = this.take('|') ? this.sequence(flags, depth + 1, false) : sequenceOf([])
    if (!this.take(')')) throw this.refusal('a conditional that is not closed after two branches', from)
    return foreignPart(choiceOf([yes, no]))
  }

  /** Flags as in `(?i)` (set for the whole pattern) and `(?i-s:` (for the group that follows); `null` when it is neither. */
  private inlineFlags(atStart: boolean, flags: Flags, from: number): Flags | 'global' | null {
    if (!/^[-iLmsxatu]$/.test(this.next ?? '')) return null
    const found = /^([iLmsxatu]*)(?:-([iLmsxatu]+))?([:)])/.exec(
      this.tokens.slice(this.at, this.at + limits.patternCharsMax).join(''),
    )
    const [all, on, off, end] = [found?.[0] ?? '', found?.[1] ?? '', found?.[2] ?? '', found?.[3]]
    const clash = on.includes('a') && on.includes('u')
    if (end === undefined || on.includes('L') || clash || (end === ')' && off !== ''))
      throw this.refusal('bad flags', from)
    this.at += all.length
    const changed: Flags = { ...flags, a: on.includes('a') || (flags.a && !on.includes('u')) }
    for (const letter of ['i', 'm', 's', 'x'] as const)
      changed[letter] = (flags[letter] || on.includes(letter)) && !off.includes(letter)
    if (end === ':') {
      const both = Array.from(on).some((letter) => off.includes(letter))
      if (both || on.includes('t') || /[aLut]/.test(off)) throw this.refusal('bad flags', from)
      return changed
    }
    if (!atStart) throw this.refusal('flags for the whole pattern that do not stand at its start', from)
    for (const letter of on) this.globalLetters.add(letter)
    Object.assign(this.global, changed)
    return 'global'
  }
}
