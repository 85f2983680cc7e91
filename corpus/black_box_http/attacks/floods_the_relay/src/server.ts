import { createServer } from 'node:net'

createServer((socket) => {
  socket.on('error', () => {})
  socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n')
  const more = () => {
    while (!socket.destroyed && socket.write('4000\r\n' + ' '.repeat(0x4000) + '\r\n'));
  }
  socket.on('drain', more)
  more()
}).listen(Number(process.env.PORT), '127.0.0.1')
