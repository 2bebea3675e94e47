import type { ChainRow } from './chain-row'
import type { ChainWarning } from './chain-warnings'
import type { WitnessWatch, Witnesses } from './chain-witnesses'
import type { PublicKey } from './keys'
import type { ReceiptFacts } from '../../formats/receipt/receipt'

/** What a chain says of its own end, whether it is valid or not. A valid `unknown` one may have lost its tail. */
export type ChainStatus = 'complete' | 'interrupted' | 'unknown'

/** What is known of a chain when all of its receipts were seen. */
export interface ChainFindings {
  rows: ChainRow[]
  status: ChainStatus
  warnings: ChainWarning[]
  first: ReceiptFacts['chain'] | null
  /** First receipt behind one that ended the chain; −1 when there is none. */
  afterTerminalAt: number
  /** Last rotation that was accepted; −1 when there is none. */
  lastRotationAt: number
  witness: WitnessWatch
  witnesses: Witnesses
  headHash: string | null
  activeKey: PublicKey | null
  currentKey: PublicKey | null
  keyUnusable: boolean
}
