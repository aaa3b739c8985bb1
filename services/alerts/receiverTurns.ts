/** A receiver that has as many exchanges under way as it may; another one is best begun in `waitSeconds`. */
export class ReceiverBusy extends Error {
  override readonly name = "ReceiverBusy";
  readonly waitSeconds: number;

  constructor(waitSeconds: number) {
    super("the receiver has many exchanges under way");
    this.waitSeconds = waitSeconds;
  }
}

interface Receiver {
  underWay: number;
  /** How long its exchanges take, as of late. */
  holdSeconds: number;
  /** When whoever was turned away last is to come again, in seconds of the clock. */
  lastTurnAt: number;
}

/** What an exchange is taken to last while none has ended, and the least that somebody is made to wait. */
const assumedSeconds = 1;
const longestWaitSeconds = 600;
/** How much the newest exchange tells of the next. */
const newestShare = 0.2;

/**
 * Bounds how many exchanges with one receiver are under way in this process, so that one that is slow to answer leaves room for the others.
 * Who is turned away gets a turn of their own, as far behind as the receiver is slow, so that they do not all come back at once.
 */
export class ReceiverTurns {
  readonly #mostUnderWay: number;
  readonly #nowSeconds: () => number;
  readonly #receivers = new Map<string, Receiver>();

  constructor(mostUnderWay: number, nowSeconds: () => number = () => performance.now() / 1000) {
    this.#mostUnderWay = mostUnderWay;
    this.#nowSeconds = nowSeconds;
  }

  /** Carries out an exchange with the receiver of that name. Throws `ReceiverBusy` at once where it has too many under way. */
  async take<T>(name: string, exchange: () => Promise<T>): Promise<T> {
    const begin = this.#nowSeconds();
    const receiver = this.#receivers.get(name) ?? { underWay: 0, holdSeconds: assumedSeconds, lastTurnAt: 0 };
    if (receiver.underWay >= this.#mostUnderWay) throw new ReceiverBusy(this.#turnAfter(receiver, begin));
    this.#receivers.set(name, receiver);
    receiver.underWay += 1;
    try {
      return await exchange();
    } finally {
      receiver.underWay -= 1;
      const now = this.#nowSeconds();
      receiver.holdSeconds += newestShare * (now - begin - receiver.holdSeconds);
      if (receiver.underWay === 0 && receiver.lastTurnAt <= now) this.#receivers.delete(name);
    }
  }

  #turnAfter(receiver: Receiver, now: number): number {
    const { holdSeconds, lastTurnAt } = receiver;
    const earliest = now + Math.max(assumedSeconds, holdSeconds);
    const latest = now + longestWaitSeconds;
    receiver.lastTurnAt = Math.min(Math.max(earliest, lastTurnAt + holdSeconds / this.#mostUnderWay), latest);
    return receiver.lastTurnAt - now;
  }
}
