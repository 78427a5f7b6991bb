import { mount } from "svelte";
import App from "./App.svelte";
import { router } from "./router.svelte";
import { connect } from "./server.svelte";
import { awaitTouch } from "./sound";
import "./theme.css";

const target = document.getElementById("app");
if (target === null) throw new Error("the page has no place for the client");
router.start();
connect();
awaitTouch();
mount(App, { target });
