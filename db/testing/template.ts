/** Database that every test database is copied from. */
export const TEMPLATE = 'inquest_template'
/** The same with many executions, made by the first test file that asks (`seeded-db.ts`). */
export const SEEDED_TEMPLATE = 'inquest_seeded'
