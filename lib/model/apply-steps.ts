/** Steps of applying a patch by hand, in their order. */
export type ApplyStepName = 'download' | 'branch' | 'check' | 'apply' | 'compare' | 'run'
/** What a person needs to know of a step. */
export type ApplyNote = 'scope' | 'base-unknown' | 'async-pipeline'
