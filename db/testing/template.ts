/** Database that every test database is copied from. */
export const TEMPLATE = 'inquest_template'
