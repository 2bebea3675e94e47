'use client'

import { createContext, useContext } from 'react'
import { PROGRAM_PLACEHOLDER } from '@/lib/program-command'
import { Command } from './command'

const Program = createContext(PROGRAM_PLACEHOLDER)

/** Says how the command line is started: the path on this machine, or one to fill in. */
export const ProgramProvider = Program.Provider

/** A command of ours to run, whole; `text` is the verb and what follows it. */
export const ProgramCommand = ({ text }: { text: string }) => (
  <Command text={`${useContext(Program)} ${text}`} />
)
