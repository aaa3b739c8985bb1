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
  /** Who waits for room, first come first served. */
  line: (() => void)[];
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
 * Who comes to one that answers fast waits in line for a moment, no longer than `patienceSeconds`. Others are turned away and get a turn of
 * their own, as far behind as the receiver is slow, so that they do not all come back at once.
 */
export class ReceiverTurns {
  readonly #mostUnderWay: number;
  readonly #patienceSeconds: number;
  readonly #nowSeconds: () => number;
  readonly #receivers = new Map<string, Receiver>();

  constructor(
    mostUnderWay: number,
    { patienceSeconds = 0, nowSeconds = () => performance.now() / 1000 }: TurnsOptions = {},
  ) {
    this.#mostUnderWay = mostUnderWay;
    this.#patienceSeconds = patienceSeconds;
    this.#nowSeconds = nowSeconds;
  }

  /** Carries out an exchange with the receiver of that name. Throws `ReceiverBusy` where it would wait longer than there is patience. */
  async take<T>(name: string, exchange: () => Promise<T>): Promise<T> {
    const receiver = this.#receivers.get(name) ?? { underWay: 0, line: [], holdSeconds: assumedSeconds, lastTurnAt: 0 };
    this.#receivers.set(name, receiver);
    if (receiver.underWay < this.#mostUnderWay) receiver.underWay += 1;
    else await this.#standInLine(receiver);
    const begin = this.#nowSeconds();
    try {
      return await exchange();
    } finally {
      const now = this.#nowSeconds();
      receiver.holdSeconds += newestShare * (now - begin - receiver.holdSeconds);
      const next = receiver.line.shift();
      if (next === undefined) receiver.underWay -= 1;
      else next();
      if (receiver.underWay === 0 && receiver.lastTurnAt <= now) this.#receivers.delete(name);
    }
  }

  /** Resolves when somebody's room has been handed over. */
  #standInLine(receiver: Receiver): Promise<void> {
    const { line, holdSeconds } = receiver;
    const busy = () => new ReceiverBusy(this.#turnAfter(receiver));
    if (((line.length + 1) * holdSeconds) / this.#mostUnderWay > this.#patienceSeconds) throw busy();
    return new Promise((resolve, reject) => {
      const handOver = () => {
        clearTimeout(patience);
        resolve();
      };
      const patience = setTimeout(() => {
        line.splice(line.indexOf(handOver), 1);
        reject(busy());
      }, this.#patienceSeconds * 1000);
      line.push(handOver);
    });
  }

  #turnAfter(receiver: Receiver): number {
    const now = this.#nowSeconds();
    const { holdSeconds, lastTurnAt } = receiver;
    const earliest = now + Math.max(assumedSeconds, holdSeconds);
    const latest = now + longestWaitSeconds;
    receiver.lastTurnAt = Math.min(Math.max(earliest, lastTurnAt + holdSeconds / this.#mostUnderWay), latest);
    return receiver.lastTurnAt - now;
  }
}

export interface TurnsOptions {
  patienceSeconds?: number;
  nowSeconds?: () => number;
}
