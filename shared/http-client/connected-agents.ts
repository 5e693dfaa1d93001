import type { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';

/** A connection's error has this while the request that asked for it cannot have been written. */
const NOT_WRITTEN = { requestWritten: false } as const;

type OnCreate = (error: Error | null, socket?: Socket) => void;
type Connect = (options: object, onCreate?: OnCreate) => Socket | undefined;

// An import of node:http as an ES module reads all its exports, and `WebSocket` among them loads Node's whole fetch: 20 ms.
const http = process.getBuiltinModule('node:http');

/**
 * Agents for AWS clients whose connections get a request only once they are ready: with TLS, after the
 * handshake and the check of the certificate. Node's agents write it as early as they can, and their errors do
 * not show whether they did; an error of these agents before that has `requestWritten: false`. A connection
 * that is not ready after `timeoutMs` is such an error.
 */
export function createConnectedAgents(timeoutMs: number): { httpAgent: HttpAgent; httpsAgent: HttpsAgent } {
  const keep = { keepAlive: true, maxSockets: 50 };
  return {
    httpAgent: whenReady(new http.Agent(keep), 'connect', timeoutMs),
    httpsAgent: whenReady(new HttpsAgent(keep), 'secureConnect', timeoutMs),
  };
}

function whenReady<A extends HttpAgent>(agent: A, ready: string, timeoutMs: number): A {
  const overridable = agent as unknown as { createConnection: Connect };
  const connect: Connect = overridable.createConnection.bind(agent);
  overridable.createConnection = (options, onCreate = () => {}) => {
    const socket = connect(options);
    if (!socket) throw new Error('the agent has no connection');
    const expired = Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' });
    const timer = setTimeout(() => socket.destroy(expired), timeoutMs);
    const fail = (error: Error) => {
      clearTimeout(timer);
      onCreate(Object.assign(error, NOT_WRITTEN));
    };
    socket.once('error', fail);
    socket.once(ready, () => {
      clearTimeout(timer);
      socket.off('error', fail);
      onCreate(null, socket);
    });
    return undefined;
  };
  return agent;
}
