'use strict';
// Preloaded into every function's process. Replaces the compiled part of AWS's Runtime Interface Client, which needs
// a C++ compiler to install, by its three calls over Node's http.
const { Agent, request } = require('node:http');
const Module = require('node:module');

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const [hostname, port] = String(process.env.AWS_LAMBDA_RUNTIME_API).split(':');

function call(method, path, body, headers = {}) {
  return new Promise((done, failed) => {
    const sent = request(
      { hostname, port, method, path: `/2018-06-01/runtime/${path}`, agent, headers },
      (answer) => {
        const chunks = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.on('end', () =>
          done({ bodyJson: Buffer.concat(chunks).toString('utf8'), headers: answer.headers }),
        );
      },
    );
    sent.on('error', failed);
    sent.end(body);
  });
}

// Responses are posted in the background, so the next call waits for them.
let posted = Promise.resolve();
const post = (path, body, headers) => {
  posted = call('POST', path, body, { 'content-type': 'application/json', ...headers });
};

const client = {
  next: () => posted.then(() => call('GET', 'invocation/next')),
  done: (id, body) => post(`invocation/${id}/response`, body),
  error: (id, body, cause) =>
    post(`invocation/${id}/error`, body, {
      'lambda-runtime-function-xray-error-cause': cause.slice(0, 1000),
    }),
};

const load = Module._load;
Module._load = function loadModule(name, ...rest) {
  return name.endsWith('rapid-client.node') ? client : load.call(this, name, ...rest);
};
