import { expect, type Locator } from '@playwright/test'

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>

/** Where a part of the page lies. What still streams in has no place at first, so it is asked again until it has one. */
export async function boxOf(part: Locator): Promise<Box> {
  const seen: Box[] = []
  await expect
    .poll(async () => {
      const box = await part.boundingBox()
      if (box) seen.push(box)
      return box
    })
    .not.toBeNull()
  return seen.at(-1)!
}
