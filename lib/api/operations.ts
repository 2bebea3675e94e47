import { executionOperations } from './operations/executions'
import { fixOperations } from './operations/fixes'
import { parityOperations } from './operations/parity'
import { peopleOperations } from './operations/people'
import { receiptOperations } from './operations/receipts'
import { receivedOperations } from './operations/received'
import { serverOperations } from './operations/server'
import { sourceOperations } from './operations/sources'
import type { Operation } from './operations/operation'

/** Every door of the API, in the order in which its description tells them. */
export const OPERATIONS: Operation[] = [
  ...receivedOperations,
  ...executionOperations,
  ...parityOperations,
  ...receiptOperations,
  ...fixOperations,
  ...sourceOperations,
  ...peopleOperations,
  ...serverOperations,
]
