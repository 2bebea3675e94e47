/** Fields that hold 64-bit ids: compared by their digits, whether these are written as text or as a number. */
export const IDENTIFIER_FIELDS: ReadonlySet<unknown> = new Set([
  'execution_id',
  'event_id',
  'catalog_id',
  'parent_execution_id',
  'parent_event_id',
  'prev_event_id',
  'command_id',
  'parent_command_id',
  'latest_event_id',
  'last_event_id',
  'loop_event_id',
  'batch_request_id',
  'persisted_event_id',
  'ai_execution_id',
  'failed_execution_id',
])
