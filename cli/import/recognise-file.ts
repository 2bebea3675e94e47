import type { Recognise } from './recognise'

export const recogniseFile: Recognise = () => Promise.resolve({ left: { because: 'not built', unfit: false } })
