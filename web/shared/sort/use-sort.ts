import { address, changeParameters } from '../address.ts'
import { readSort, type Sort, writeSort } from './sort.ts'

export type Order = {
  readonly sort: Sort | undefined
  readonly onSort: (sort: Sort | undefined) => void
}

/** The order of a list, which stands in the address. `parameter`: where a page has several. */
export function useSort(parameter = 'sort'): Order {
  return {
    sort: readSort(address.value.parameters.get(parameter) ?? ''),
    onSort: (sort) => changeParameters({ [parameter]: writeSort(sort) }, { isNew: false }),
  }
}
