/** The variable with a folder: a file for each worker, named by its pid, with the path of its test
 *  file. */
export const WORKER_FILES = 'LOGEYE_TEST_WORKER_FILES'
