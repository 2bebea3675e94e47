'use client'

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { DecisionDocument } from '@/lib/api/decision-schemas'
import { keptPathInput, pathInputOf, patternReadings, readWhatIf } from '@/lib/judge/decisions/kept'
import { pathOf, type PathStop } from '@/lib/judge/decisions/path'
import { answersOf } from '@/lib/judge/decisions/sentences'
import type { WhatIf } from '@/lib/judge/decisions/what-if'
import { stageOfRule } from '@/lib/model/decision-rules'
import { executionQueries } from '../execution-data/queries'
import { asProblem } from '../shared/get-json'
import { ProblemNotice } from '../shared/problem-notice'
import { VisibleText } from '../shared/visible-text'
import { Answers } from './answers'
import { Counterfactual } from './counterfactual'
import { Inputs } from './inputs'
import { RecorderVerdict } from './recorder-verdict'
import { RulePath } from './rule-path'
import { SignalHints } from './signal-hints'
import { TwoVerdicts } from './two-verdicts'
import { useWhatIf } from './use-what-if'

/** What is behind the line: the five answers, the inputs, and the path through the rules. */
export function DecisionPanel({ executionId }: { executionId: string }) {
  const { data, error, refetch } = useQuery(executionQueries.decision(executionId))
  if (data) return <Opened executionId={executionId} decision={data} />
  if (error) return <ProblemNotice compact problem={asProblem(error)} onRetry={() => void refetch()} />
  return (
    <div
      role="group"
      aria-busy="true"
      aria-label="Loading the decision"
      className="space-y-4 border-t border-line p-4"
    >
      <div className="skeleton h-16" />
      <div className="skeleton h-72" />
    </div>
  )
}

export function Opened({ executionId, decision }: { executionId: string; decision: DecisionDocument }) {
  const whatIf = useMemo(() => readWhatIf(decision.whatIf), [decision.whatIf])
  const facts = whatIf?.actual ?? null
  const patterns = useMemo(() => patternReadings(decision, facts), [decision, facts])
  const answers = useMemo(() => answersOf({ ...decision, facts, patterns }), [decision, facts, patterns])
  // A path that breaks off where something is not known would read as one that ends there.
  const isWhole = decision.recomputed !== null && decision.missing.length === 0
  const stops = useMemo(
    () => (isWhole ? pathOf(keptPathInput(decision, facts)) : null),
    [isWhole, decision, facts],
  )
  const inputs = <Inputs decision={decision} patterns={patterns} />
  return (
    <div className="fade-in space-y-4 border-t border-line p-3 md:p-4">
      <Answers answers={answers} />
      <SignalHints executionId={executionId} hints={decision.signalHints} />
      {decision.recorded !== null && <TwoVerdicts decision={decision} />}
      <RecorderVerdict decision={decision} />
      <div className="grid gap-x-8 gap-y-5 border-t border-line pt-4 md:grid-cols-[minmax(0,23rem)_minmax(0,1fr)]">
        {stops === null ? (
          <>
            {inputs}
            <NotReplayed decision={decision} />
          </>
        ) : whatIf === null ? (
          <>
            <div className="min-w-0 space-y-5">
              {inputs}
              {decision.recomputed !== null && <NothingToFlip rule={decision.rule} />}
            </div>
            <RulePath stops={stops} verdict={decision.recomputed!} />
          </>
        ) : (
          <Replayed whatIf={whatIf} inputs={inputs} was={{ stops, verdict: decision.recomputed! }} />
        )}
      </div>
    </div>
  )
}

interface ReplayedProps {
  whatIf: WhatIf
  inputs: React.ReactNode
  was: { stops: PathStop[]; verdict: Pick<DecisionDocument, 'outcome' | 'retryReason'> }
}

/** Everything it was made from is here, so that it can be made again, with changes. */
function Replayed({ whatIf, inputs, was }: ReplayedProps) {
  const state = useWhatIf(whatIf)
  const { isChanged, facts, decided } = state
  return (
    <>
      <div className="min-w-0 space-y-5">
        {inputs}
        <Counterfactual whatIf={whatIf} state={state} />
      </div>
      {isChanged ? (
        <RulePath stops={pathOf(pathInputOf(facts, decided))} verdict={decided} was={was} />
      ) : (
        <RulePath {...was} />
      )}
    </>
  )
}

/** Where no input is offered to be changed, that is said, and why. */
function NothingToFlip({ rule }: { rule: string }) {
  return (
    <section aria-labelledby="no-what-if" className="min-w-0">
      <h3 id="no-what-if" className="font-semibold">
        What if…
      </h3>
      <p className="mt-1 text-ink-2">
        {stageOfRule(rule) === 'signal'
          ? 'The run declared its own failure, which overrides every rule. No other input changes the verdict.'
          : 'Not enough was stored to try other inputs.'}
      </p>
    </section>
  )
}

const OUTCOME_BY: Record<DecisionDocument['basis'], string> = {
  recorded: 'Recorded by the source:',
  recomputed: 'Same outcome either way:',
  inferred: 'Inferred:',
}

/** Without its inputs no rule is asked: what is said of the run then comes from elsewhere. */
function NotReplayed({ decision: { missing, because, basis } }: { decision: DecisionDocument }) {
  // A pattern that cannot be searched here was recorded all the same.
  const unread = missing.length > 0 && missing.every((name) => name.startsWith('pattern '))
  return (
    <section aria-labelledby="not-replayed" className="min-w-0">
      <h3 id="not-replayed" className="font-semibold">
        {basis === 'recomputed' ? 'Some rules could not be evaluated' : 'The rules could not be evaluated'}
      </h3>
      <p className="mt-1 text-ink-2">
        {missing.length === 0
          ? 'Not enough was stored.'
          : `${unread ? 'Unknown' : 'Missing'} inputs: ${missing.join(', ')}.`}
      </p>
      <p className="mt-2">
        <span className="text-ink-3">{OUTCOME_BY[basis]}</span> <VisibleText text={because} />
      </p>
      {!unread && (
        <p className="mt-2 text-sm text-ink-3">
          To record all inputs, run the command with{' '}
          <code className="font-mono">inquest record --marker … --expect … -- COMMAND</code>.
        </p>
      )}
    </section>
  )
}
