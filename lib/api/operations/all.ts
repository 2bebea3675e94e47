import { correctionOperations } from './corrections'
import { executionOperations } from './executions'
import { fixOperations } from './fixes'
import { parityOperations } from './parity'
import { peopleOperations } from './people'
import { receiptOperations } from './receipts'
import { receivedOperations } from './received'
import { serverOperations } from './server'
import { sourceOperations } from './sources'
import type { Operation } from '../operation'

/** Every endpoint of the API, in the order of its description. */
export const OPERATIONS: Operation[] = [
  ...receivedOperations,
  ...executionOperations,
  ...correctionOperations,
  ...parityOperations,
  ...receiptOperations,
  ...fixOperations,
  ...sourceOperations,
  ...peopleOperations,
  ...serverOperations,
]
