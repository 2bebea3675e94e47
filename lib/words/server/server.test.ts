import { expect, test } from 'vitest'
import { textsWith } from '../texts.support'
import { connectionText } from './connections'
import { schemaText } from './schemas'
import { startText } from './start'
import { storeText } from './store'
import { bodyText } from './bodies'
import { fixProblemText } from './fixes'
import { logText } from './log'
import { metricsText } from './metrics'
import { pageText } from './pages'
import { peopleProblemText } from './people'
import { requestText } from './requests'
import { reviewText } from './reviews'
import { sharedPatchText } from './shared-patches'
import { sourceProblemText } from './sources'

test('log', () => {
  expect(
    textsWith(logText, {
      pageNotRead: { title: 'TITLE' },
      secretsUnknown: { id: 'ID' },
      storedPatchDiffers: { digest: 'DIGEST' },
    }),
  ).toMatchSnapshot()
})

test('people', () => {
  expect(
    textsWith(peopleProblemText, {
      requiresInstanceAdmin: { what: 'WHAT' },
      noSuchProject: { slug: 'SLUG' },
      originNotAllowed: { origin: 'ORIGIN' },
      tooManyAttempts: { seconds: 2 },
    }),
  ).toMatchSnapshot()
})

test('bodies', () => {
  expect(
    textsWith(bodyText, {
      bodyEndedEarly: { received: 2 },
      unknownEncoding: { one: 'ONE' },
      bodyTooLarge: { mib: 'MIB' },
      decodedBodyTooLarge: { mib: 'MIB' },
      ratioExceeded: { received: 2, undo: ['a', 'b'] },
      notDecompressed: { coding: 'CODING', message: 'MESSAGE' },
      bodyNotJson: { message: 'MESSAGE' },
      controlCharacter: { name: 'NAME', code: 'CODE' },
      unknownKind: { name: 'NAME' },
      notSupported: { name: 'NAME', why: 'WHY' },
      notAKnownFormat: { why: 'WHY' },
      notRecognised: { headBytes: 2 },
      receiptsTooLarge: { mib: 2 },
      receiptsUnreadable: { detail: 'DETAIL' },
    }),
  ).toMatchSnapshot()
})

test('requests', () => {
  expect(
    textsWith(requestText, {
      noSuchEndpoint: { method: 'METHOD', pathname: 'PATHNAME' },
      rebuildRunning: { api: 'API' },
    }),
  ).toMatchSnapshot()
})

test('fixes', () => {
  expect(
    textsWith(fixProblemText, {
      downloadRequires: { isUnread: true },
      digestMismatch: { bytes: 2, digest: 'DIGEST', who: 'WHO', said: 'SAID' },
      formPartRepeated: { all: 2, name: 'NAME' },
      supersededAlready: { state: 'STATE' },
    }),
  ).toMatchSnapshot()
})

test('metrics', () => {
  expect(textsWith(metricsText, {})).toMatchSnapshot()
})

test('shared-patches', () => {
  expect(
    textsWith(sharedPatchText, {
      fixNotShareable: { state: 'STATE' },
    }),
  ).toMatchSnapshot()
})

test('sources', () => {
  expect(
    textsWith(sourceProblemText, {
      alreadyConnected: { name: 'NAME' },
      sourceExists: { name: 'NAME' },
    }),
  ).toMatchSnapshot()
})

test('reviews', () => {
  expect(
    textsWith(reviewText, {
      reviewTooLate: { by: 'BY', state: 'STATE', version: 2 },
      noSuchStep: { state: 'STATE' },
      patchNotApprovable: { isUnread: true, codes: ['a', 'b'] },
      flagsNotAcknowledged: { codes: ['a', 'b'] },
      suggestionTooLate: { state: 'STATE' },
    }),
  ).toMatchSnapshot()
})

test('pages', () => {
  expect(textsWith(pageText, {})).toMatchSnapshot()
})

test('start', () => {
  expect(
    textsWith(startText, {
      otherBuild: { pid: 2 },
      built: { seconds: 2 },
      buildFailed: { code: 2, output: 'OUTPUT' },
      badProxy: { entry: 'ENTRY' },
      openProxy: { entry: 'ENTRY' },
      databaseSilent: { host: 'HOST', code: 'CODE' },
      gaveUp: { message: 'MESSAGE' },
      proxyHint: { client: 'CLIENT' },
      secretTooShort: { file: 'FILE' },
      portInUse: { port: 2, host: 'HOST' },
      portPrivileged: { port: 2 },
      foreignHost: { host: 'HOST' },
      badPort: { portText: 'PORTTEXT' },
      badDatabaseUrl: { name: 'NAME' },
      alreadyRunning: { dataDir: 'DATADIR', pid: 2 },
      firstAdminLink: { link: 'LINK' },
      forgotPassword: { command: 'COMMAND' },
      createFirstAdmin: { command: 'COMMAND' },
      running: { url: 'URL', how: 'HOW' },
    }),
  ).toMatchSnapshot()
})

test('connections', () => {
  expect(
    textsWith(connectionText, {
      connectionsDropped: { dropped: 2 },
      methodNotSupported: { method: 'METHOD', allow: 'ALLOW' },
    }),
  ).toMatchSnapshot()
})

test('store', () => {
  expect(
    textsWith(storeText, {
      poolBusy: { ms: 2 },
      databaseSilent: { ms: 2 },
      migrationsNotFound: { folders: ['a', 'b'] },
      threadExited: { status: 2 },
      bytesNotStored: { sha256: 'SHA256' },
      partGone: { sha256: 'SHA256' },
      bytesDiffer: { fileName: 'FILENAME' },
      cursorOfOtherList: { list: 'LIST' },
      superseded: { version: 2 },
    }),
  ).toMatchSnapshot()
})

test('schemas', () => {
  expect(textsWith(schemaText, { requires: { role: 'ROLE', scopes: ['a', 'b'] } })).toMatchSnapshot()
})
