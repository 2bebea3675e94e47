/** The fragment never reaches the server: browsers carry it over to the sign-in page, and from there it continues with the path. */
export const withFragment = (path: string): string =>
  path.includes('#') ? path : path + window.location.hash
