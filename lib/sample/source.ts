/** Name of the source that contains the sample, and nothing else. */
export const SAMPLE_SOURCE = 'sample'
