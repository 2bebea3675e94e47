import { reasonWords } from './chain-reasons'
import type { SilenceFinding } from '../../model/silence'

type Told = Pick<SilenceFinding, 'count' | 'receipts'> & {
  kind: string
  tool: string | null
  rule: string | null
  failureBy: string | null
  reason: string | null
}

const several = (n: number, one: string): string => `${n.toLocaleString('en')} ${one}${n === 1 ? '' : 's'}`
const were = (n: number): string => (n === 1 ? 'was' : 'were')

const RULES: Record<string, string> = {
  idempotency_key: 'same idempotency key (stated by the issuer)',
  same_target: 'same agent, tool and target (inferred)',
  same_parameters: 'same agent, tool and parameters (inferred)',
  retry_chain: 'the session’s transcript shows the failure (link inferred)',
}

const UNPROVEN: Record<string, string> = {
  no_key: 'No key registered for this chain',
  other_key: 'This chain was not signed with any registered key',
  key_unusable: 'The key registered for this chain can’t be read',
}

/** One finding as a sentence without its full stop, and why, where that must be said. */
export function silenceWords({ kind, count, tool, rule, failureBy, reason, receipts }: Told): {
  says: string
  why: string | null
} {
  const number = (receipt: { sequence: number | null } | undefined): string =>
    receipt?.sequence == null
      ? 'without a number'
      : receipt.sequence.toLocaleString('en', { useGrouping: false })
  const at = `receipt ${number(receipts.at(-1))}`
  const named = tool === null ? at : `${at} (${tool})`
  switch (kind) {
    case 'broken':
      return {
        says: `The chain breaks at ${at}; nothing after that is proven`,
        why: reason === null ? null : ((reasonWords as Record<string, string>)[reason] ?? reason),
      }
    case 'unproven':
      return {
        says: `${UNPROVEN[reason ?? ''] ?? 'The chain could not be verified'}: their content is unproven`,
        why: null,
      }
    case 'gap':
      return {
        says: `${count === null ? 'Receipts' : several(count, 'receipt')} ${count === 1 ? 'is' : 'are'} missing between ${number(receipts[0])} and ${number(receipts.at(-1))}; nothing was recorded there`,
        why: null,
      }
    case 'dropped':
      return {
        says: `${count === null ? `Events were lost before ${named} (number unknown)` : `${several(count, 'event')} ${were(count)} lost before ${named}`}; nothing was recorded there`,
        why: null,
      }
    case 'retry':
      return {
        says:
          rule === 'retry_chain'
            ? `The failure before ${named} left no receipt`
            : `${capital(named)} does again what receipt ${number(receipts[0])} did, and no receipt shows a failure`,
        why: rule === null ? null : (RULES[rule] ?? rule),
      }
    case 'disagrees':
      return {
        says: `${capital(named)} says success, and ${failureBy === 'receipt' ? 'a different receipt of the call' : 'other records of the call'} says that it failed`,
        why: 'status and output disagree',
      }
    case 'unanswered':
      return { says: `${capital(named)} has no result receipt`, why: null }
    default:
      return { says: kind, why: null }
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
