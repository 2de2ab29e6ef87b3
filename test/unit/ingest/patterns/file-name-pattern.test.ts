import { describe, expect, it } from 'vitest'
import { compileFileNamePattern } from '../../../../ingest/patterns/match/file-name-pattern.ts'

describe('a pattern of file names', () => {
  it.each([
    [
      'app.log{string}',
      '',
      ['app.log', 'app.log.1', 'app.log.10.gz'],
      ['app.txt', 'xapp.log', 'app.log/x'],
    ],
    [
      ...(['/var/log/app-{date,dd-MM-yyyy}.log', '/var/log/'] as const),
      ['app-24-11-2026.log', 'app-1-1-2026.log'],
      ['app-31-02-2026.log', 'app-.log', 'app-24-11-2026.log.gz'],
    ],
    ['/a/{{b}}/x{number}.log', '/a/{b}/', ['x1.log'], ['x.log', 'xa.log']],
    ['C:/logs/app.log', 'C:/logs/', ['app.log'], ['app.log.1', 'APP.log']],
  ])('%s has the folder %j and takes %j', (path, folder, taken, left) => {
    const pattern = compileFileNamePattern(path)
    expect(pattern.folder).toBe(folder)
    expect(taken.filter((name) => !pattern.fits(name))).toEqual([])
    expect(left.filter((name) => pattern.fits(name))).toEqual([])
  })

  it.each([
    ['/var/{text}/app.log', 'only the name of the file may be a pattern'],
    ['/var/log/', 'the path ends with a folder'],
    ['app-{date}.log', 'date needs a format'],
  ])('refuses %s', (path, reason) => {
    expect(() => compileFileNamePattern(path)).toThrow(reason)
  })
})
