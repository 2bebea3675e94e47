import type { NotChecked } from '../fits'
import type { MessageOf, NoParams } from '../message'

/** Why a folder is not taken as a mirror, or a mirror cannot be used now. */
export interface MirrorTroubles {
  outside: NoParams
  gone: NoParams
  not_a_repository: NoParams
  linked_tree: NoParams
  borrows_outside: NoParams
  /** What is in the way of every check. */
  not_checked: { readonly why: NotChecked }
  /** Branches that there are, the first ones; null: none was asked for, and none is checked out. */
  no_such_branch: {
    readonly branch: string | null
    readonly branches: readonly string[]
    readonly more: boolean
  }
  branch_gone: { readonly branch: string }
}

export type MirrorTrouble = MessageOf<MirrorTroubles>
