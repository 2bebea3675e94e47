import type { FolderImport } from './folder-graph'
import type { RoomReport, StructureReport } from './report'
import { walkFolders } from './stops'

/** The report as text, the figures of each section before its details. */
export function printReport({ modules, rooms, layers, conformance, lines, ingest }: StructureReport): string {
  return [
    `${modules} modules`,
    ...rooms.flatMap(printRoom),
    section('Declared order of lib', [
      `${arrows(layers.up)} up; ${arrows(layers.undecided)} from a layer to a folder without a place`,
      `layers with code: ${names(layers.present)}`,
      `folders without a place: ${layers.unplaced.length} (${names(layers.unplaced)})`,
      ...layers.up.map((arrow) => `up: ${arrowText(arrow)}`),
      ...layers.undecided.map((arrow) => `undecided: ${arrowText(arrow)}`),
    ]),
    ...(ingest === undefined
      ? []
      : [
          section('One traced ingest of a small transcript', [
            `${ingest.folders.length} folders entered, ${ingest.modules.length} modules`,
            `(below ${names(walkFolders(ingest.modules, 2).folders)})`,
            `${ingest.stops.length} stops with ${ingest.returns} returns, in the order of first entries:`,
            ingest.stops.join(' > '),
          ]),
        ]),
    printConformance(conformance),
    section('Lines (tests apart)', [
      row('folder', 'modules', 'lines', 'in tests'),
      ...lines.map((count) => row(count.folder, count.modules, count.lines, count.testLines)),
      row('all', sum(lines, 'modules'), sum(lines, 'lines'), sum(lines, 'testLines')),
    ]),
    '',
  ].join('\n')
}

export const printConformance = ({ modules, lines }: StructureReport['conformance']): string =>
  section('Product modules that only conformance reaches', [
    `${modules.length} modules, ${lines} lines`,
    ...modules.map(({ path, lines: count }) => `${path} (${count})`),
  ])

function printRoom({ room, folders, mutual, fine }: RoomReport): string[] {
  const least = fine.isMinimum ? 'at least' : 'at most, since not every order was tried,'
  return [
    section(`Folders of ${room}`, [
      `${mutual.length} pairs of ${folders} folders import each other`,
      ...mutual.map(
        ({ a, b, aImportsB, bImportsA }) => `${a} <-> ${b} (${aImportsB} and ${bImportsA} imports)`,
      ),
      `in the best order of ${fine.folders} folders and subfolders, ${least} ${fine.up.length} arrows run up`,
      `(that order has ${fine.floors} floors; subfolders apart, ${fine.mutual} pairs import each other)`,
      ...fine.up.map((arrow) => `up: ${arrowText(arrow)}`),
    ]),
  ]
}

const section = (title: string, lines: readonly string[]): string =>
  [`\n${title}`, ...lines.map((line) => `  ${line}`)].join('\n')
const arrowText = ({ from, to, count }: FolderImport): string => `${from} -> ${to} (${count})`
/** Arrows between folders, and the module imports that they stand for. */
const arrows = (list: readonly FolderImport[]): string =>
  `${list.length} arrows (${sum(list, 'count')} imports)`
const names = (folders: readonly string[]): string => (folders.length === 0 ? 'none' : folders.join(', '))
const row = (folder: string, ...cells: (string | number)[]): string =>
  folder.padEnd(28) + cells.map((cell) => String(cell).padStart(9)).join('')
const sum = <K extends string>(rows: readonly Record<K, number>[], key: K): number =>
  rows.reduce((total, one) => total + one[key], 0)
