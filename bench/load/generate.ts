import { runClosedLoop, type Job } from './closed-loop'

/** The generator's own process: takes jobs one after another, answers each with what it measured, and ends with its parent. */
process.on('message', (job: Job) => {
  void runClosedLoop(job).then((load) => process.send!(load))
})
