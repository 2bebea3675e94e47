import type { NextStep } from '../../model/messages/next-steps'
import { placeIn } from '../../text/places'
import { isUnchanged } from '../causes/focus'
import { messageText } from '../message-text'
import type { CallFacts } from './call-facts'
import type { CallRules } from './call-answer'
import { errorSign } from './error-sign'
import { noParams } from './no-params'

/** Words by which a check says that it does not hold; whether the check or the work is wrong they do not say. */
const CHECK =
  /^(?:\s*(?:✗|✖|✘|❌|×|\[FAIL\]|FAIL:|FAILED\b|not ok\b|--- FAIL:|E\s{2,}assert)|.*\b(?:AssertionError|assertion failed|expected\b.*\b(?:got|to|but|received)\b|should not\b|should be\b|tests? failed))/i
const EXCEPTION = /^\[?(?:[\w$]+\.)*[A-Z]\w*(?:Error|Exception)\b/

/** An error in no known words: what remains is where it points, how often it came, and with what exit code. */
export const OTHER_RULES: CallRules = [
  errorSign(
    'system_denied',
    /permission denied|EACCES|not permitted|access denied/i,
    'wont_help',
    'grant_account',
  ),
  {
    id: 'check_failed',
    when: ({ error }) => CHECK.test(error),
    verdict: (facts) => ({
      retry: 'wont_help',
      next: { id: 'fix_work_or_check', params: atPlace(facts) },
    }),
    params: (facts) => ({ alike: alikeOf(facts) }),
  },
  {
    id: 'program_crashed',
    when: (facts) => EXCEPTION.test(facts.error) && !isMcp(facts),
    verdict: (facts) => ({
      retry: 'wont_help',
      next:
        placeOf(facts) === null
          ? { id: 'find_exception', params: { ...atPlace(facts), cut: facts.failed.errorTextCut } }
          : { id: 'fix_program', params: atPlace(facts) },
    }),
    params: (facts) => ({ alike: alikeOf(facts) }),
  },
  {
    id: 'failed_alike',
    when: (facts) => alikeOf(facts) !== null,
    verdict: (facts) => ({
      retry: 'wont_help',
      next: placeOf(facts) === null ? byHand(facts) : { id: 'fix_code', params: atPlace(facts) },
    }),
    params: (facts) => ({ alike: alikeOf(facts)! }),
  },
  {
    id: 'mcp_failed',
    when: isMcp,
    verdict: (facts) => ({
      retry: 'unclear',
      next: { id: 'check_mcp_server', params: { call: facts.call, error: facts.quote } },
    }),
    params: noParams,
  },
  {
    id: 'code_at_fault',
    when: (facts) => placeOf(facts) !== null,
    verdict: (facts) => ({ retry: 'wont_help', next: { id: 'fix_code', params: atPlace(facts) } }),
    params: noParams,
  },
  {
    id: 'command_failed',
    when: ({ failed }) => failed.failureClass === 'exit_code',
    verdict: (facts) => ({ retry: 'wont_help', next: byHand(facts) }),
    params: noParams,
  },
  {
    id: 'no_message',
    when: ({ error }) => error === '',
    verdict: (facts) => ({ retry: 'unclear', next: unclearByHand(facts) }),
    params: noParams,
  },
  {
    id: 'message_unclear',
    when: () => true,
    verdict: (facts) => ({ retry: 'unclear', next: unclearByHand(facts) }),
    params: noParams,
  },
]

function isMcp({ failed }: CallFacts): boolean {
  return failed.tool.startsWith('mcp__')
}

/** Attempts that all failed the same way; null: it was made once, or something changed. */
const alikeOf = ({ focus }: CallFacts): number | null =>
  focus.failedCalls > 1 && isUnchanged(focus) ? focus.failedCalls : null

const placeOf = ({ failed, error }: CallFacts): ReturnType<typeof placeIn> =>
  placeIn(failed.errorText ?? '', error)

function atPlace(facts: CallFacts) {
  const place = placeOf(facts)
  return {
    call: facts.call,
    error: facts.quote,
    at: place && { file: messageText(place.file), line: place.line },
    receiptOnly: facts.failed.receiptOnly,
  }
}

/** What to do where the error names no place to mend; nobody can run what only receipts hold a digest of. */
const byHand = ({ failed, call, quote }: CallFacts): NextStep =>
  failed.receiptOnly
    ? { id: 'look_in_other_records', params: { error: quote, callId: messageText(failed.callId) } }
    : {
        id: 'run_by_hand',
        params: { call, error: quote, exitCode: failed.exitCode, cut: failed.errorTextCut },
      }

const unclearByHand = (facts: CallFacts): NextStep =>
  facts.failed.receiptOnly
    ? byHand(facts)
    : { id: 'run_unclear_by_hand', params: { call: facts.call, error: facts.quote } }
