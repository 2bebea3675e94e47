import type { NoParams } from '../model/message'
import type { DesignReasons, LayerReasons, SeverityReasons } from '../model/messages/parity'
import { oneLine } from '../text/visible'
import { storedText, type Catalogue } from './catalogue'

/** Why a difference is as bad as it is. */
export const SEVERITY_REASON_WORDS: Catalogue<SeverityReasons> = {
  on_contract: () => 'Part of the agent’s result contract',
  holds_diagnosis: () => 'Contains a diagnosis',
  id_digits: () => 'Digits of an ID were lost',
  elsewhere: () => 'Outside the agent’s result contract',
}

/** Why a difference is there on purpose. */
export const DESIGN_REASON_WORDS: Catalogue<DesignReasons> = {
  transport_id: () => 'Added by the server',
  redacted_here: () => 'Redacted by Inquest',
  masked_by_api: () => 'Masked by the API',
  same_moment: () => 'Same time, written differently',
  duration_not_measured: () => 'Duration was not measured',
  empty_column: () => 'Empty column',
  second_name: () => 'Duplicate of created_at',
  column_left_out: () => 'Column not included in this source',
  around_rows: () => 'Added by the server around the rows',
  parsed_json: () => 'JSON text parsed by the API',
  dropped_by_worker: () => 'Dropped by the worker',
}

/** The English of a rule that has no values; one that only a newer version knows reads as itself. */
export const ruleWords = (catalogue: Readonly<Record<string, unknown>>, rule: string): string =>
  storedText(catalogue as Catalogue<Record<string, NoParams>>, { id: rule, params: {}, text: rule })

/** Why a layer could not be read, or is known not to hold everything. */
export const LAYER_REASON_WORDS: Catalogue<LayerReasons> = {
  reply_without_row: () => 'It is unknown which event a reply captured at the worker became.',
  diagnosis_not_saved: ({ by, agent, handle }) =>
    `The diagnosis that execution ${by} made stands in no row ${
      agent === null
        ? 'of this run, and none records how its agent ended'
        : `of ${agent.step === null ? 'the agent' : `step ${oneLine(agent.step)}`}`
    }: ${
      handle
        ? 'only the ID of the diagnosis run was stored'
        : 'it was lost before the first readable layer, or never attached'
    }. What the worker replied was not captured.`,
  diagnosis_inferred: ({ made }) =>
    `Inferred: ${made
      .map(
        ({ by, childId, step }) =>
          `execution ${by} was started to diagnose run ${childId}, the agent of ${step === null ? 'a step' : `step ${oneLine(step)}`}, ended well and kept this diagnosis`,
      )
      .join('; ')}.`,
  compared_in_browser: () => 'What a page shows is compared in the browser that shows it.',
  not_offered: ({ layer }) =>
    `This source has no ${layer === 'api' ? 'API' : 'event log'} that could be asked.`,
  database_unknown: () => 'The address of its database is not known.',
  not_connected: () => 'Its source is not connected, or the connection is paused.',
  server_failed_before: () => 'Its server did not answer earlier, so this was not requested.',
  not_noetl_id: () => 'Not a NoETL execution ID.',
  no_events: () => 'The event log has no events of this execution.',
  page_empty: () => 'The page has read nothing of this execution yet',
  page_too_large: () => 'Not read: what the page holds is too large',
}

/** Why a layer of a check could not be read, in today's words; null: nothing was said. */
export const layerWhy = ({
  why,
  rule = null,
  params = null,
}: {
  why: string | null
  /** Left out by checks of older versions. */
  rule?: string | null
  params?: unknown
}): string | null =>
  rule === null ? why : storedText(LAYER_REASON_WORDS, { id: rule, params, text: why ?? rule })
