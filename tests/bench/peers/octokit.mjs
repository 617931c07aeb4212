// The peer of bench_deliveries.py: octokit's middleware as its README has it. It verifies, parses
// and hands on to a handler; nothing is stored.
import { createServer } from "node:http";
import { createRequire } from "node:module";

const require = createRequire(process.env.PEER_MODULES + "/");
const { Webhooks, createNodeMiddleware } = await import(require.resolve("@octokit/webhooks"));

const webhooks = new Webhooks({ secret: process.env.SHIPLEDGER_WEBHOOK_SECRET });
let handled = 0;
webhooks.onAny(() => { handled += 1; });
const server = createServer(createNodeMiddleware(webhooks, { path: "/webhooks/github" }));
server.listen(0, "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
