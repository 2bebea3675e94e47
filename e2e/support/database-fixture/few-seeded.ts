/** The seeded rows are alike: of them three are read one by one, and all of them counted. */
export const NOT_SEEDED = `(external_id not like 'seed-%' or external_id in ('seed-0', 'seed-9', 'seed-59'))`
