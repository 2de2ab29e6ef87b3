// The name of a node (LOGEYE_NODE_NAME, by default that of the machine).
export const NODE_NAME = /^[\w.-]{1,253}$/
export const NODE_NAME_HINT = 'letters, digits, _ . and -, at most 253'
