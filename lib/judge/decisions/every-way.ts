/** Answers a question that has several answers: one of `0 … options - 1`. */
export type Choose = (options: number) => number

/** Runs a calculation once for each way in which its questions can be answered; it may ask other ones after other answers. */
export function everyWay<T>(run: (choose: Choose) => T): T[] {
  const results: T[] = []
  const answers: { answer: number; options: number }[] = []
  do {
    let asked = 0
    results.push(
      run((options) => {
        answers[asked] ??= { answer: 0, options }
        return answers[asked++]!.answer
      }),
    )
    while (answers.length > 0 && answers.at(-1)!.answer + 1 === answers.at(-1)!.options) answers.pop()
    const last = answers.at(-1)
    if (last !== undefined) last.answer++
  } while (answers.length > 0)
  return results
}
