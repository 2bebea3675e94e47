import { runRecord } from './run-record'

/**
 * `inquest record` comes before somebody's command, so its start is a bundle of its own that holds little; what judges and sends is
 * loaded when the command has ended (docs/decisions/0004-command-line-bundle.md).
 */
void runRecord(process.argv.slice(3)).then((status) => process.exit(status))
