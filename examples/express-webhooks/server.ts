import express from 'express';
import { verifyWebhook, WebhookVerificationError } from 'notification-delivery-client';

const secret = process.env.WEBHOOK_SECRET ?? '';
const port = Number(process.env.PORT ?? 4110);
/** IDs of events that were processed; a database in production. Every attempt of an event has the same ID. */
const processed = new Set<string>();

const app = express();

// The signature covers the text as it was sent, so the body must not be parsed before.
app.post('/hook', express.text({ type: 'application/json', limit: '1mb' }), async (request, response) => {
  try {
    const event = await verifyWebhook(secret, request.headers, request.body);
    const id = request.get('webhook-id') ?? '';
    if (!processed.has(id)) {
      processed.add(id);
      console.log(event.eventType, event.userId, 'trackingId' in event && event.trackingId);
      if (event.eventType === 'EMAIL_FAILED') console.log('  because', event.failureCode);
    }
    // Any 2xx accepts the event; anything else is sent again later.
    response.sendStatus(204);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    response.status(400).send(error.message);
  }
});

app.listen(port, () => console.log(`Listening on http://localhost:${port}/hook`));
