/** Name of the source that holds the sample, and nothing else. */
export const SAMPLE_SOURCE = 'sample'
