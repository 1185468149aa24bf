// The socket: sits down with the token of the link, comes back by itself when the line breaks.

// Where the server keeps what a table shows.
export const where = id => ({ board: `/t/${id}/board.json`, map: `/t/${id}/map.svg`, rule: of => `/t/${id}/rules/case?of=${encodeURIComponent(of)}` });

export class Wire {
  constructor(id, token, on) {
    this.id = id; this.token = token; this.on = on; this.tries = 0; this.over = false;
    this.open();
  }
  open() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(`${scheme}//${location.host}/t/${this.id}/socket`);
    this.socket.onopen = () => { this.socket.send(JSON.stringify({ do: "sit", token: this.token })); };
    this.socket.onmessage = event => {
      this.tries = 0;
      const told = JSON.parse(event.data);
      if (told.gone) this.over = true;
      this.on(told);
    };
    this.socket.onclose = () => {
      if (this.over) return;
      this.tries += 1;
      this.on({ lost: true });
      setTimeout(() => this.open(), Math.min(8000, 250 * 2 ** this.tries));
    };
  }
  // Returns whether the message is on its way; what is not is said to the player, who sees the table as it is.
  send(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }
}
