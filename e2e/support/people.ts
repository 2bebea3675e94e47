import { expect, type Page } from '@playwright/test'

export interface Person {
  name: string
  email: string
  password: string
}

export const admin: Person = {
  name: 'Ada Admin',
  email: 'ada@example.test',
  password: 'correct horse battery',
}

/** Opens a one-time link, fills in what it asks for, and is signed in afterwards. */
export async function redeemLink(page: Page, link: string, { name, email, password }: Person): Promise<void> {
  await page.goto(link)
  const next = page.getByRole('button', { name: /^(Continue|Sign in)$/ })
  await expect(next).toBeVisible()
  const fields: [string, string][] = [
    ['Name', name],
    ['Email', email],
    ['Password', password],
  ]
  for (const [label, value] of fields) {
    const field = page.getByLabel(label, { exact: true })
    if (await field.isVisible()) await field.fill(value)
  }
  await next.click()
  // The start of the journeys signs in too, and knows nothing of the patience of their settings.
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible({ timeout: 30_000 })
}

/** Signs in with the password; the answer of the page is for the caller to look at. */
export async function signIn(
  page: Page,
  { email, password }: Pick<Person, 'email' | 'password'>,
): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
