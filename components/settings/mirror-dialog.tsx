'use client'

import type { FormEvent } from 'react'
import type { Problem } from '@/lib/problem'
import { ProblemNotice } from '../shared/problem-notice'
import { Button } from '../shared/ui/button'
import { Dialog } from '../shared/ui/dialog'
import { Field } from '../shared/ui/field'
import { ProjectField } from './project-field'

export interface MirrorChoices {
  /** Projects in which the reader may set one up, each with the folder that the operator allows. */
  projects: { slug: string; root: string | null }[]
  /** Repositories that are in these folders. */
  paths: string[]
  /** Names that open fixes have and no mirror; null: some fixes name none. */
  repositories: (string | null)[]
}

interface MirrorDialogProps {
  open: boolean
  choices: MirrorChoices
  problem: Problem | null
  busy: boolean
  onAdd: (event: FormEvent<HTMLFormElement>) => void
  onClose: () => void
}

/** Which repository of the server stands for which name. What is typed is looked at by the server before it is taken. */
export function MirrorDialog({ open, choices, problem, busy, onAdd, onClose }: MirrorDialogProps) {
  const allowed = choices.projects.filter(({ root }) => root !== null)
  const roots = [...new Set(allowed.map(({ root }) => root))]
  const names = choices.repositories.filter((name) => name !== null)
  const [first, ...others] = names
  return (
    <Dialog open={open} onClose={onClose} title="Add mirror">
      <form onSubmit={onAdd} className="space-y-4 p-4">
        {problem && <ProblemNotice compact problem={problem} />}
        <Field
          label="Repository"
          name="repository"
          maxLength={2000}
          list="mirror-repositories"
          autoComplete="off"
          defaultValue={others.length === 0 ? first : undefined}
          hint="Exactly as fixes name it. Leave empty for fixes that name none."
        />
        <datalist id="mirror-repositories">
          {names.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <Field
          label="Path"
          name="path"
          required
          maxLength={1000}
          list="mirror-paths"
          autoComplete="off"
          hint={
            roots.length === 1
              ? `A clone below ${roots[0]}, such as ${choices.paths[0] ?? 'shop.git'}.`
              : `A clone below the folder of the project: ${allowed.map(({ slug, root }) => `${root} for ${slug}`).join(', ')}.`
          }
        />
        <datalist id="mirror-paths">
          {choices.paths.map((path) => (
            <option key={path} value={path} />
          ))}
        </datalist>
        <Field
          label="Branch"
          name="branch"
          maxLength={200}
          autoComplete="off"
          hint="For fixes that name none. Leave empty for the branch that is checked out."
        />
        <ProjectField projects={allowed.map(({ slug }) => slug)} />
        <div className="flex justify-end">
          <Button kind="main" type="submit" why={busy ? 'Sending' : null}>
            Add
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
