import { expect, test } from 'vitest'
import { textsWith } from '../texts.support'
import { adminText } from './admin'
import { ciSummaryText } from './ci-summary'
import { doctorText } from './doctor'
import { exitText } from './exit-codes'
import { explainText } from './explain'
import { fixText } from './fix'
import { helpText } from './help'
import { hookText } from './hook'
import { hookInstallText } from './hook-install'
import { httpText } from './http'
import { importText } from './import'
import { parityText } from './parity'
import { redactText } from './redact'
import { receiptsDatabaseText } from './receipts-database'
import { recordDeliveryText } from './record-delivery'
import { recordEndText } from './record-end'
import { recordStartText } from './record-start'
import { settingsText } from './settings'
import { spoolText } from './spool'
import { verifyText } from './verify'

test('admin', () => {
  expect(
    textsWith(adminText, {
      sourceAnswers: { dialect: 'DIALECT', executions: 2 },
      connectionRemoved: { id: 'ID' },
      noSuchPerson: { named: 'NAMED' },
      oneTimeLink: { email: 'EMAIL', expiresAt: 'EXPIRESAT' },
      firstAdminLink: { expiresAt: 'EXPIRESAT' },
      personRemoved: { email: 'EMAIL' },
      stopping: { origin: 'ORIGIN', path: 'PATH' },
      rebuildStopped: { counts: 'COUNTS' },
      rebuildFailed: { error: 'ERROR', counts: 'COUNTS' },
      newKey: { name: 'NAME', scopes: ['a', 'b'], project: 'PROJECT' },
    }),
  ).toMatchSnapshot()
})

test('doctor', () => {
  expect(
    textsWith(doctorText, {
      installNode: { version: 'VERSION' },
      otherServerNamed: { origin: 'ORIGIN', named: 'NAMED' },
      useKeyWithScope: { scope: 'SCOPE' },
      analysisFailedFor: { total: 2 },
      failedAnalysesListed: { origin: 'ORIGIN', path: 'PATH' },
      spoolDropped: { what: 'WHAT', until: 'UNTIL' },
      startOrCorrectUrl: { countFile: 'COUNTFILE', logFile: 'LOGFILE' },
      waitsForOther: { waits: ['a', 'b'], name: 'NAME' },
      sendWithUrl: { url: 'URL' },
      framesWait: { went: 'WENT', waiting: 2, bytes: 2, oldest: 'OLDEST' },
      framesRejected: { refused: 2, folder: 'FOLDER' },
      oddFrames: { frames: 2, since: 'SINCE', reasons: ['a', 'b'] },
      oddFramesKept: { countFile: 'COUNTFILE' },
      recordsWait: { went: '', waiting: 2, folder: 'FOLDER' },
      recordsRejected: { refused: 2, folder: 'FOLDER' },
      projectsUnreadable: { projects: 'PROJECTS', code: 'CODE' },
      noHistory: { projects: 'PROJECTS' },
      settingsUnreadable: { file: 'FILE', code: 'CODE' },
      installHook: { flag: 'FLAG' },
    }),
  ).toMatchSnapshot()
})

test('ci-summary', () => {
  expect(
    textsWith(ciSummaryText, {
      nothingArrived: { name: 'NAME' },
      allFailures: { url: 'URL' },
      failuresNotLoaded: { what: 'WHAT', reason: 'REASON' },
      otherCauses: { failures: 2 },
      otherJobs: { failures: 2 },
      notCounted: { executions: 2 },
      nothingArrivedSummary: { name: 'NAME', url: 'URL' },
      failuresNotLoadedSummary: { what: 'WHAT', reason: 'REASON' },
      runPageLater: { url: 'URL' },
      seeFailuresAt: { url: 'URL' },
      notWritten: { file: 'FILE', code: 'CODE' },
      notInKnownCi: { missing: ['a', 'b'] },
    }),
  ).toMatchSnapshot()
})

test('spool', () => {
  expect(
    textsWith(spoolText, {
      spoolFull: { count: 2, kind: 'KIND', bytes: 2, oldest: 'OLDEST' },
      keyAccepted: { server: 'SERVER' },
      keyRejected: { server: 'SERVER', reason: 'REASON', since: 'SINCE' },
    }),
  ).toMatchSnapshot()
})

test('exit-codes', () => {
  expect(textsWith(exitText, {})).toMatchSnapshot()
})

test('fix', () => {
  expect(
    textsWith(fixText, {
      notAFixId: { id: 'ID' },
      digestMismatch: { bytes: 2, digest: 'DIGEST', sha256: 'SHA256' },
      gitNotRun: { reason: 'REASON' },
      unreadablePatch: { problem: 'PROBLEM' },
      unsafePatch: { blocking: ['a', 'b'] },
      fixClosed: { state: 'STATE', supersededBy: 'SUPERSEDEDBY' },
      notApproved: { state: 'STATE' },
      nothingCommitted: { page: 'PAGE' },
      notWritten: { path: 'PATH', reason: 'REASON' },
      fileExists: { path: 'PATH' },
      unreadableFile: { problem: 'PROBLEM' },
      unreadable: { path: 'PATH', reason: 'REASON' },
    }),
  ).toMatchSnapshot()
})

test('hook', () => {
  expect(
    textsWith(hookText, {
      spoolNotSent: { reason: 'REASON' },
      spoolDropped: { what: 'WHAT' },
    }),
  ).toMatchSnapshot()
})

test('hook-install', () => {
  expect(
    textsWith(hookInstallText, {
      invalidJson: { error: 'ERROR', line: 2 },
      eventNotList: { event: 'EVENT' },
      unreadable: { file: 'FILE', code: 'CODE' },
      notWritten: { file: 'FILE', code: 'CODE' },
      installed: { file: 'FILE', events: 2 },
      alreadyInstalled: { file: 'FILE' },
      installedTwice: { other: 'OTHER', elsewhere: ['a', 'b'] },
      otherFileToo: { other: 'OTHER' },
      backupKept: { backup: 'BACKUP' },
      ignoreFile: { path: 'PATH' },
      noHookFound: { files: ['a', 'b'] },
    }),
  ).toMatchSnapshot()
})

test('http', () => {
  expect(
    textsWith(httpText, {
      serverStatus: { status: 2 },
    }),
  ).toMatchSnapshot()
})

test('import', () => {
  expect(
    textsWith(importText, {
      fileEmptied: { name: 'NAME' },
      keptNotUnderstood: { odd: 1 },
      calls: { all: 186, failed: 7 },
      columnsDisagree: { disagreeingRows: 2 },
      conflicts: { conflicts: 2 },
      unsupported: { unsupported: 2 },
      notImported: { notTaken: 2 },
      kindsNotImported: { kinds: 'KINDS' },
      notImportedIncluding: { notTaken: 2, kinds: 'KINDS' },
      whyPartly: { what: 'WHAT' },
      sentWithRun: { record: 'RECORD' },
      unsupportedFormat: { why: 'WHY' },
      ciRunPage: { url: 'URL' },
      ciRunSummary: { url: 'URL' },
      ciRunRefused: { reason: 'REASON' },
      framesSent: { sent: 2 },
      recordsSent: { sent: 2 },
      watching: { files: 2 },
      sentAgain: { path: 'PATH' },
      moreLeftOut: { more: 2 },
      unitTooLarge: { start: 2, isDocument: true },
      countedFrom: { reason: 'REASON', start: 2 },
      notRead: { code: 'CODE', reason: 'REASON' },
      inotifyLimit: { code: 'CODE' },
      pollingInstead: { why: 'WHY' },
    }),
  ).toMatchSnapshot()
})

test('parity', () => {
  expect(
    textsWith(parityText, {
      unreliable: { failedControls: ['a', 'b'] },
      rawRecordChanged: { digest: 'DIGEST' },
      rowDiffers: { i: 2, eventId: 'EVENTID', received: 'RECEIVED', byteStart: 2, byteEnd: 2 },
      more: { more: 2 },
      rowIssue: {
        code: 'NESTED_DICT_LOSS',
        path: 'result.context.error.diagnosis',
        step: 'STEP',
        eventType: 'step.exit',
        eventId: 'EVENTID',
        row: 2,
      },
      moreRowIssues: { more: 2 },
    }),
  ).toMatchSnapshot()
})

test('help', () => {
  expect(
    textsWith(helpText, {
      serverAndStatuses: { statuses: 'STATUSES' },
    }),
  ).toMatchSnapshot()
})

test('receipts-database', () => {
  expect(textsWith(receiptsDatabaseText, {})).toMatchSnapshot()
})

test('record-end', () => {
  expect(
    textsWith(recordEndText, {
      invalidPattern: { source: 'SOURCE', why: 'WHY' },
      unusablePattern: { source: 'SOURCE', why: 'WHY' },
      outputNotRecorded: { reason: 'REASON' },
      outputNotChecked: { reason: 'REASON' },
      markerMissing: { marker: 'MARKER' },
      patternsMissing: { missing: ['a', 'b'] },
      killed: { signal: 'SIGNAL' },
    }),
  ).toMatchSnapshot()
})

test('record-start', () => {
  expect(
    textsWith(recordStartText, {
      usage: { failOn: 'FAILON' },
      putDashes: { word: 'WORD' },
      invalidUsage: { problem: 'PROBLEM' },
      commandNotStarted: { problem: 'PROBLEM' },
      stdoutClosed: { reason: 'REASON' },
      runNotRecorded: { reason: 'REASON' },
    }),
  ).toMatchSnapshot()
})

test('record-delivery', () => {
  expect(
    textsWith(recordDeliveryText, {
      tryingAgain: { answered: true, reason: 'REASON' },
      notStarted: { command: 'COMMAND', startError: 'STARTERROR' },
      heldOpen: { streams: 'STREAMS' },
      failedDespiteExitCode: { failedOn: 'FAILEDON', text: 'TEXT' },
      notSent: { reason: 'REASON', astray: 'ASTRAY' },
      recordRejected: { reason: 'REASON', astray: 'ASTRAY' },
      notRecorded: { reason: 'REASON' },
    }),
  ).toMatchSnapshot()
})

test('settings', () => {
  expect(
    textsWith(settingsText, {
      noServer: { file: 'FILE' },
      notHttp: { where: 'WHERE' },
      passwordInUrl: { where: 'WHERE' },
      readableByOthers: { file: 'FILE' },
      unreadable: { file: 'FILE', code: 'CODE' },
      notJson: { file: 'FILE' },
      incomplete: { file: 'FILE' },
    }),
  ).toMatchSnapshot()
})

test('verify', () => {
  expect(
    textsWith(verifyText, {
      rowsRead: { name: 'NAME', why: 'WHY', count: 2 },
      lineTooLong: { place: 2 },
      isFolder: { name: 'NAME' },
      unreadable: { name: 'NAME', code: 'CODE' },
      notReceipts: { name: 'NAME', isBinary: true },
      notJsonList: { name: 'NAME' },
      documentTooLarge: { name: 'NAME', most: 'MOST' },
      checkpointsUnreadable: { path: 'PATH', code: 'CODE', reason: 'REASON' },
      neitherKeyNorFile: { option: 'OPTION', named: 'NAMED', keyForms: 'KEYFORMS' },
      keyUnreadable: { named: 'NAMED', code: 'CODE', reason: 'REASON' },
      privateKey: { what: 'WHAT' },
      notAKey: { what: 'WHAT', keyForms: 'KEYFORMS' },
      checkpointsUnusable: { unusable: 2 },
      startsAt: { startsAbove: 2 },
      moreLikeThis: { more: 2 },
      rowDisagrees: { row: 2, columns: ['a', 'b'] },
      signaturesNotChecked: { end: 'END' },
      beginsAt: { startsAbove: 2 },
      partOfChain: { from: 'FROM', badReceipts: 2 },
      keyRepeated: { receipts: 'RECEIPTS', key: 'KEY' },
      sessionsOpen: { opened: 2, closed: 2 },
      severalIssuers: { issuers: ['a', 'b'] },
      badChainStatus: { receipt: 2 },
      checkpointsForOtherChains: { chains: 2, named: 'NAMED' },
      keysCameWithFile: { fileKeys: ['a', 'b'] },
    }),
  ).toMatchSnapshot()
})

test('redact', () => {
  expect(
    textsWith(redactText, {
      written: { path: 'PATH', secrets: 2 },
      notRead: { path: 'PATH', code: 'CODE' },
      notRedacted: { path: 'PATH', status: 'unknown' },
      notWritten: { path: 'PATH', code: 'CODE' },
    }),
  ).toMatchSnapshot()
})

test('explain', () => {
  expect(
    textsWith(explainText, {
      notOpened: { code: 'CODE' },
      tooLarge: { size: 'SIZE', max: 'MAX' },
      noReader: { why: 'WHY' },
      unknown: { why: 'WHY' },
      unreadable: { file: 'FILE', because: 'BECAUSE' },
      badConclusion: { word: 'WORD' },
      groupTitle: { text: 'TEXT' },
      noRun: { file: 'FILE' },
      noteTitle: { outcome: 'OUTCOME', category: 'CATEGORY', file: 'FILE' },
      odd: { odd: 2, records: 9, first: 'FIRST' },
      linesBefore: { lines: 2 },
      linesAfter: { lines: 2 },
      callNumber: { number: 2 },
      exitCode: { code: 2 },
      othersInFile: { executions: 2 },
      othersLeftOut: { executions: 2 },
    }),
  ).toMatchSnapshot()
})
