// One program for everything of Kubernetes that a node needs: kube apiserver, kube controllers, kube scheduler, kube kubelet,
// kube proxy.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

func main() {
	name := ""
	if len(os.Args) > 1 {
		name = os.Args[1]
		os.Args = os.Args[1:]
	}
	var command *cobra.Command
	switch name {
	case "apiserver":
		command = apiserver.NewAPIServerCommand()
	case "controllers":
		command = controllers.NewControllerManagerCommand()
	case "scheduler":
		command = scheduler.NewSchedulerCommand()
	case "kubelet":
		command = kubelet.NewKubeletCommand(context.Background())
	case "proxy":
		command = proxy.NewProxyCommand()
	default:
		fmt.Fprintln(os.Stderr, "kube apiserver|controllers|scheduler|kubelet|proxy [option...]")
		os.Exit(2)
	}
	os.Exit(cli.Run(command))
}
