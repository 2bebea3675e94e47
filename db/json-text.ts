import { storableDeep } from '@/lib/formats/storable'

/** JSON text that jsonb takes. */
export const jsonText = (value: unknown): string => JSON.stringify(storableDeep(value))
