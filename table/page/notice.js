// When it is your turn: the title of the tab, a sound, a notice of the system where it is allowed.

import { $ } from "./dom.js";

export class Notice {
  constructor() {
    this.on = localStorage.getItem("notice") === "yes"; this.mine = false; this.base = document.title;
    this.shown();
    $("bell").onclick = async () => {
      this.on = !this.on;
      localStorage.setItem("notice", this.on ? "yes" : "no");
      this.shown();
      if (this.on) { this.ring(); if ("Notification" in window && Notification.permission === "default") await Notification.requestPermission(); }
    };
  }
  shown() { $("bell").setAttribute("aria-pressed", this.on); $("bell").textContent = this.on ? "Notices on" : "Notify me"; }
  name(base) { this.base = base; this.title(); }
  title() { document.title = (this.mine ? "● Your turn · " : "") + this.base; }
  turn(mine, text) {
    const anew = mine && !this.mine;
    this.mine = mine; this.title();
    if (!anew || !this.on || !this.before) { this.before = true; return; }
    this.ring();
    if (document.visibilityState === "hidden" && "Notification" in window && Notification.permission === "granted") new Notification(this.base, { body: text, tag: location.pathname });
  }
  ring() {
    try {
      const sound = new AudioContext(), gain = sound.createGain(), now = sound.currentTime;
      gain.connect(sound.destination); gain.gain.setValueAtTime(0.0001, now); gain.gain.exponentialRampToValueAtTime(0.12, now + 0.02); gain.gain.exponentialRampToValueAtTime(0.0001, now + 0.9);
      for (const [hertz, at] of [[523, 0], [784, 0.16]]) { const tone = sound.createOscillator(); tone.frequency.value = hertz; tone.connect(gain); tone.start(now + at); tone.stop(now + 0.9); }
      setTimeout(() => sound.close(), 1500);
    } catch { /* no sound here */ }
  }
}
