import { readContract, type ContractReader } from './contract-reader'
import type { DecisionFacts } from './decide'
import { everyWay, type Choose } from './every-way'
import { gatherer } from './gather-facts'
import type { ParsedStdout } from './parse-stdout'
import type { PatternFinding } from './patterns'
import { isBlank } from './python-text'
import { joinedMessages } from './recover'
import type { RunContext } from './run-evidence'
import { patternInput, type PossibleFacts } from './unknowns'
import { CHANNELS, TERMINATIONS } from './vocabulary'
import { withVerdict } from './what-if-edits'

/** Evidence that may lack inputs: they are null. */
export interface PartialContext
  extends Omit<RunContext, 'exitCode' | 'termination' | 'channel' | 'marker' | 'patterns'> {
  exitCode: number | null
  termination: string | null
  channel: string | null
  marker: string | null
  patterns: readonly string[] | null
}

/** Stands for what is not known, in facts and traces. */
const ANY = '(not known)'
/** Of a pattern that asks for a path, which is all that recovery asks of its source. */
const ANY_PATH_PATTERN = 'path\\s*=\\s*/.+'

/**
 * The facts that an attempt has, for everything that is not known of it: the process may have ended in any way, no marker may have been
 * agreed on or one that is there or not, and patterns that are found or not. What a pattern does that our engine cannot express is not
 * known either. Nothing that could be is left out; of two pieces of text the answers may be such as no real contract would give.
 */
export function gatherPossible(context: PartialContext, parsed: ParsedStdout): PossibleFacts {
  const gather = gatherer(context, parsed)
  const missing = new Set<string>()
  const known = <T>(name: string, value: T | null, any: readonly T[]): readonly T[] => {
    if (value !== null) return [value]
    missing.add(name)
    return any
  }
  const exitCodes = known('exit code', context.exitCode, [0, 1])
  const terminations = known('termination', context.termination, TERMINATIONS)
  const channels = known('channel', context.channel, CHANNELS)
  if (context.marker === null) missing.add('marker')
  if (context.patterns === null) missing.add('patterns')

  const possible = new Map<string, DecisionFacts>()
  for (const alike of Object.values(groupBy(terminations, readAs)))
    for (const channel of channels) {
      const ways = everyWay(
        (choose) =>
          gather(
            { exitCode: exitCodes[0]!, termination: alike[0]!, channel },
            readPartly(context, choose, (pattern) => missing.add(patternInput(pattern))),
          ).facts,
      )
      for (const facts of ways)
        for (const termination of alike)
          for (const exitCode of exitCodes) {
            const one = withProcess(facts, termination, exitCode)
            possible.set(JSON.stringify(one), one)
          }
    }
  return { missing: [...missing], possible: [...possible.values()] }
}

/** Ends by which the output is read alike: what is gathered then is the same but for the end itself. */
const readAs = (termination: string): string =>
  ['timed_out', 'stale', 'idle_stall'].includes(termination) ? termination : 'as it is'

/** The same facts for another end that is read alike, and another exit code. */
function withProcess(facts: DecisionFacts, termination: string, exitCode: number): DecisionFacts {
  return withVerdict(facts, (verdict) => ({
    ...verdict,
    termination: facts.way.kind === 'stale' ? verdict.termination : termination,
    exitCode: verdict.termination === 'timed_out' ? verdict.exitCode : exitCode,
  }))
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Record<string, T[]> {
  const groups: Record<string, T[]> = {}
  for (const item of items) (groups[key(item)] ??= []).push(item)
  return groups
}

/** A contract that answers what it does not know in one of the possible ways, and the same way when it is asked again. */
function readPartly(
  { marker, patterns }: PartialContext,
  choose: Choose,
  onDiffering: (pattern: string) => void,
): ContractReader {
  const answers = new Answers(choose)
  const known = readContract({ marker: marker ?? '', patterns: patterns ?? [] })
  /** What our engine cannot tell is all found, or all missing. */
  const settle = (findings: PatternFinding[], question: string, text: string): PatternFinding[] => {
    const differing = findings.filter(({ state }) => state === 'differs')
    if (differing.length === 0) return findings
    for (const { pattern } of differing) onDiffering(pattern)
    const state = answers.whether(question, text) ? 'found' : 'missing'
    return findings.map((finding) => (finding.state === 'differs' ? { ...finding, state } : finding))
  }
  const settled: ContractReader = {
    ...known,
    find: (text) => settle(known.find(text), 'find', text),
    findPlainly: (text) => settle(known.findPlainly(text), 'find plainly', text),
    findOthers: (others, text) => settle(known.findOthers(others, text), 'find others', text),
  }
  const withMarker = marker === null ? anyMarker(settled, answers) : settled
  return patterns === null ? anyPatterns(withMarker, answers) : withMarker
}

function anyMarker(contract: ContractReader, answers: Answers): ContractReader {
  if (!answers.whether('marker', '')) return contract
  const holdsMarker = (text: string): boolean => text !== '' && answers.whether('holds marker', text)
  return {
    ...contract,
    markerSet: true,
    marker: ANY,
    holdsMarker,
    holdsNothingElse: (text) =>
      isBlank(text) || (holdsMarker(text) && answers.whether('holds nothing else', text)),
    standsAloneIn: (messages) => {
      if (messages.length === 0 || !answers.whether('stands alone', '')) return false
      answers.know('holds marker', joinedMessages(messages))
      return true
    },
    // The final text is without its markers.
    findOthers: (_, text) => anyFinding(answers, 'find others', text),
  }
}

function anyPatterns(contract: ContractReader, answers: Answers): ContractReader {
  if (!answers.whether('patterns', '')) return contract
  return {
    ...contract,
    patterns: [ANY],
    find: (text) => anyFinding(answers, 'find', text),
    findPlainly: (text) => {
      const [finding] = anyFinding(answers, 'find plainly', text)
      return [finding!.state === 'missing' ? { ...finding!, pattern: ANY_PATH_PATTERN } : finding!]
    },
    // A line may be made out of a pattern, of which nobody knows how it reads.
    findOthers: (others, text) =>
      answers.asked('find plainly')
        ? anyFinding(answers, 'find others', text)
        : contract.findOthers(others, text),
  }
}

const anyFinding = (answers: Answers, question: string, text: string): PatternFinding[] => [
  { pattern: ANY, state: answers.whether(question, text) ? 'found' : 'missing' },
]

/** Answers by choice, and the same answer to the same question about the same text. */
class Answers {
  private readonly byQuestion = new Map<string, Map<string, boolean>>()

  constructor(private readonly choose: Choose) {}

  whether(question: string, text: string): boolean {
    const answers = this.about(question)
    const answer = answers.get(text) ?? this.choose(2) === 1
    answers.set(text, answer)
    return answer
  }

  know(question: string, text: string): void {
    this.about(question).set(text, true)
  }

  asked(question: string): boolean {
    return this.byQuestion.has(question)
  }

  private about(question: string): Map<string, boolean> {
    const answers = this.byQuestion.get(question) ?? new Map<string, boolean>()
    this.byQuestion.set(question, answers)
    return answers
  }
}
