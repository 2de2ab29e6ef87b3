import { address, changeParameters } from '../../../shared/address.ts'
import { readSort, type Sort, writeSort } from '../../../shared/sort/sort.ts'

/** The order of the list of a page, which stands in the address: `sort`. */
export function useSort() {
  return {
    sort: readSort(address.value.parameters.get('sort') ?? ''),
    onSort: (sort: Sort | undefined) =>
      changeParameters({ sort: writeSort(sort) }, { isNew: false }),
  }
}
