// Our one addition to ClickHouse's interface; a server ignores it. Says when a request was sent (epoch ms), so that the embedded
// store can tell a request that was given up and killed, but only now comes out of its socket, from one that came after the kill.
export const SENT_HEADER = 'x-logeye-sent'
